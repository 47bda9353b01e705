-- Goose's sessions.db: a message a row, but for those of helpers, in the shape of `goose session export --format json`; since its version 4, before it.
SELECT json_object('id', s.id, 'name', coalesce(nullif(s.name, ''), s.description), 'working_dir', s.working_dir,
  'created_at', s.created_at, 'updated_at', s.updated_at,
  'messages', json_array(json_object('id', coalesce(m.message_id, s.id || ':' || m.id), 'role', m.role,
    'created', m.created_timestamp, 'content', CASE WHEN json_valid(m.content_json) THEN json(m.content_json) END, 'metadata', CASE WHEN json_valid(m.metadata_json) THEN json(m.metadata_json) END)))
FROM (SELECT NULL AS session_type) none CROSS JOIN sessions s JOIN messages m ON m.session_id = s.id
WHERE coalesce((SELECT session_type FROM sessions x WHERE x.id = s.id), '') <> 'sub_agent'
ORDER BY s.created_at, s.id, m.timestamp, m.id;

SELECT json_object('id', s.id, 'name', coalesce(nullif(s.name, ''), s.description), 'working_dir', s.working_dir,
  'created_at', s.created_at, 'updated_at', s.updated_at,
  'messages', json_array(json_object('id', s.id || ':' || m.id, 'role', m.role,
    'created', m.created_timestamp, 'content', CASE WHEN json_valid(m.content_json) THEN json(m.content_json) END, 'metadata', CASE WHEN json_valid(m.metadata_json) THEN json(m.metadata_json) END)))
FROM (SELECT NULL AS session_type) none CROSS JOIN sessions s JOIN messages m ON m.session_id = s.id
WHERE coalesce((SELECT session_type FROM sessions x WHERE x.id = s.id), '') <> 'sub_agent'
ORDER BY s.created_at, s.id, m.timestamp, m.id;

SELECT json_object('id', s.id, 'name', s.description, 'working_dir', s.working_dir,
  'created_at', s.created_at, 'updated_at', s.updated_at,
  'messages', json_array(json_object('id', s.id || ':' || m.id, 'role', m.role,
    'created', m.created_timestamp, 'content', CASE WHEN json_valid(m.content_json) THEN json(m.content_json) END)))
FROM (SELECT NULL AS session_type) none CROSS JOIN sessions s JOIN messages m ON m.session_id = s.id
WHERE coalesce((SELECT session_type FROM sessions x WHERE x.id = s.id), '') <> 'sub_agent'
ORDER BY s.created_at, s.id, m.timestamp, m.id;
