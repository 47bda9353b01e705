-- OpenCode's database: a message a row, in the shape of `opencode export`. Its parts are looked up by their rows, gathered once: there may be
-- no index by message.
WITH rows AS MATERIALIZED (SELECT message_id, json_group_array(row) AS list
  FROM (SELECT message_id, rowid AS row FROM part ORDER BY message_id, id) GROUP BY message_id)
SELECT json_object(
  'info', json_object('id', s.id, 'title', s.title, 'directory', s.directory, 'version', s.version,
    'time', json_object('created', s.time_created, 'updated', s.time_updated)),
  'messages', json_array(json_object(
    'info', json_set(m.data, '$.id', m.id),
    'parts', (SELECT json_group_array(json_set(p.data, '$.id', p.id))
      FROM json_each(coalesce(r.list, '[]')) e CROSS JOIN part p ON p.rowid = e.value WHERE json_valid(p.data)))))
FROM session s JOIN message m ON m.session_id = s.id LEFT JOIN rows r ON r.message_id = m.id
WHERE json_valid(m.data)
ORDER BY s.time_created, s.id, m.time_created, m.id;
