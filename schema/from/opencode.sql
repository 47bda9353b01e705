-- OpenCode's database: a message a row, in the shape of `opencode export`.
SELECT json_object(
  'info', json_object('id', s.id, 'title', s.title, 'directory', s.directory, 'version', s.version,
    'time', json_object('created', s.time_created, 'updated', s.time_updated)),
  'messages', json_array(json_object(
    'info', json_set(m.data, '$.id', m.id),
    'parts', (SELECT json_group_array(json_set(p.data, '$.id', p.id))
      FROM (SELECT id, data FROM part WHERE message_id = m.id AND json_valid(data) ORDER BY id) p))))
FROM session s JOIN message m ON m.session_id = s.id
WHERE json_valid(m.data)
ORDER BY s.time_created, s.id, m.time_created, m.id;
