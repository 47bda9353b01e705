-- Goose's sessions.db: a message a row, in the shape of `goose session export --format json`; since its version 4, before it.
SELECT json_object('id', s.id, 'name', coalesce(nullif(s.name, ''), s.description), 'working_dir', s.working_dir,
  'created_at', s.created_at, 'updated_at', s.updated_at,
  'messages', json_array(json_object('id', coalesce(m.message_id, s.id || ':' || m.id), 'role', m.role,
    'created', m.created_timestamp, 'content', json(m.content_json), 'metadata', json(coalesce(m.metadata_json, 'null')))))
FROM sessions s JOIN messages m ON m.session_id = s.id
WHERE json_valid(m.content_json) AND json_valid(coalesce(m.metadata_json, 'null'))
ORDER BY s.created_at, s.id, m.timestamp, m.id;

SELECT json_object('id', s.id, 'name', coalesce(nullif(s.name, ''), s.description), 'working_dir', s.working_dir,
  'created_at', s.created_at, 'updated_at', s.updated_at,
  'messages', json_array(json_object('id', s.id || ':' || m.id, 'role', m.role,
    'created', m.created_timestamp, 'content', json(m.content_json), 'metadata', json(coalesce(m.metadata_json, 'null')))))
FROM sessions s JOIN messages m ON m.session_id = s.id
WHERE json_valid(m.content_json) AND json_valid(coalesce(m.metadata_json, 'null'))
ORDER BY s.created_at, s.id, m.timestamp, m.id;

SELECT json_object('id', s.id, 'name', s.description, 'working_dir', s.working_dir,
  'created_at', s.created_at, 'updated_at', s.updated_at,
  'messages', json_array(json_object('id', s.id || ':' || m.id, 'role', m.role,
    'created', m.created_timestamp, 'content', json(m.content_json))))
FROM sessions s JOIN messages m ON m.session_id = s.id
WHERE json_valid(m.content_json)
ORDER BY s.created_at, s.id, m.timestamp, m.id;
