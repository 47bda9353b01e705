-- Hermes' state.db: a message a row; since a session has its directory, and before.
SELECT json_object('session', s.id, 'title', s.title, 'model', s.model, 'started', s.started_at, 'cwd', s.cwd, 'branch', s.git_branch,
  'id', m.id, 'role', m.role, 'content', m.content, 'tool_calls', m.tool_calls, 'tool_call_id', m.tool_call_id,
  'tool_name', m.tool_name, 'time', m.timestamp)
FROM sessions s JOIN messages m ON m.session_id = s.id
ORDER BY s.started_at, s.id, m.id;

SELECT json_object('session', s.id, 'title', s.title, 'model', s.model, 'started', s.started_at, 'id', m.id, 'role', m.role,
  'content', m.content, 'tool_calls', m.tool_calls, 'tool_call_id', m.tool_call_id, 'tool_name', m.tool_name,
  'time', m.timestamp)
FROM sessions s JOIN messages m ON m.session_id = s.id
ORDER BY s.started_at, s.id, m.id;
