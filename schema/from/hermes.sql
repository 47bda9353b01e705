-- Hermes' state.db: a message a row.
SELECT json_object('session', s.id, 'title', s.title, 'model', s.model, 'started', s.started_at, 'id', m.id, 'role', m.role,
  'content', m.content, 'tool_calls', m.tool_calls, 'tool_call_id', m.tool_call_id, 'tool_name', m.tool_name,
  'time', m.timestamp)
FROM sessions s JOIN messages m ON m.session_id = s.id
ORDER BY s.started_at, s.id, m.id;
