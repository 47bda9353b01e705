-- OpenCode's database: a message a row, in the shape of `opencode export`. Its parts are looked up by their rows, gathered once: there may be
-- no index by message. What a fork repeats is left out, and so is a message that an update has brought into the newer tables.
WITH rows AS MATERIALIZED (SELECT message_id, json_group_array(row) AS list
  FROM (SELECT message_id, rowid AS row FROM part ORDER BY message_id, id) GROUP BY message_id),
twins AS MATERIALIZED (SELECT time_created FROM message GROUP BY time_created HAVING count(DISTINCT session_id) > 1)
SELECT json_object(
  'info', json_object('id', s.id, 'title', s.title, 'directory', s.directory, 'version', s.version,
    'parentID', (SELECT parent_id FROM session x WHERE x.id = s.id),
    'time', json_object('created', s.time_created, 'updated', s.time_updated)),
  'messages', json_array(json_object(
    'info', CASE WHEN json_valid(m.data) THEN json_set(m.data, '$.id', m.id) ELSE json_object('id', m.id, 'damaged', 1) END,
    'parts', (SELECT json_group_array(CASE WHEN json_valid(p.data) THEN json_set(p.data, '$.id', p.id) ELSE json_object('type', 'damaged', 'text', '?') END)
      FROM json_each(coalesce(r.list, '[]')) e CROSS JOIN part p ON p.rowid = e.value))))
FROM (SELECT NULL AS parent_id) none CROSS JOIN session s JOIN message m ON m.session_id = s.id LEFT JOIN rows r ON r.message_id = m.id
WHERE m.id NOT IN (SELECT id FROM session_message) AND CASE WHEN m.time_created IN (SELECT time_created FROM twins) THEN NOT EXISTS (
    SELECT 1 FROM message o JOIN session os ON os.id = o.session_id
    WHERE o.time_created = m.time_created AND o.session_id <> m.session_id AND (os.time_created, os.id) < (s.time_created, s.id)
      AND CASE WHEN json_valid(o.data) AND json_valid(m.data) THEN json_extract(o.data, '$.role') = json_extract(m.data, '$.role') END
      AND (SELECT group_concat(data) FROM (SELECT data FROM part WHERE message_id = o.id ORDER BY id))
        = (SELECT group_concat(data) FROM (SELECT data FROM part WHERE message_id = m.id ORDER BY id))) ELSE 1 END
ORDER BY s.time_created, s.id, m.time_created, m.id;

WITH rows AS MATERIALIZED (SELECT message_id, json_group_array(row) AS list
  FROM (SELECT message_id, rowid AS row FROM part ORDER BY message_id, id) GROUP BY message_id),
twins AS MATERIALIZED (SELECT time_created FROM message GROUP BY time_created HAVING count(DISTINCT session_id) > 1)
SELECT json_object(
  'info', json_object('id', s.id, 'title', s.title, 'directory', s.directory, 'version', s.version,
    'parentID', (SELECT parent_id FROM session x WHERE x.id = s.id),
    'time', json_object('created', s.time_created, 'updated', s.time_updated)),
  'messages', json_array(json_object(
    'info', CASE WHEN json_valid(m.data) THEN json_set(m.data, '$.id', m.id) ELSE json_object('id', m.id, 'damaged', 1) END,
    'parts', (SELECT json_group_array(CASE WHEN json_valid(p.data) THEN json_set(p.data, '$.id', p.id) ELSE json_object('type', 'damaged', 'text', '?') END)
      FROM json_each(coalesce(r.list, '[]')) e CROSS JOIN part p ON p.rowid = e.value))))
FROM (SELECT NULL AS parent_id) none CROSS JOIN session s JOIN message m ON m.session_id = s.id LEFT JOIN rows r ON r.message_id = m.id
WHERE CASE WHEN m.time_created IN (SELECT time_created FROM twins) THEN NOT EXISTS (
    SELECT 1 FROM message o JOIN session os ON os.id = o.session_id
    WHERE o.time_created = m.time_created AND o.session_id <> m.session_id AND (os.time_created, os.id) < (s.time_created, s.id)
      AND CASE WHEN json_valid(o.data) AND json_valid(m.data) THEN json_extract(o.data, '$.role') = json_extract(m.data, '$.role') END
      AND (SELECT group_concat(data) FROM (SELECT data FROM part WHERE message_id = o.id ORDER BY id))
        = (SELECT group_concat(data) FROM (SELECT data FROM part WHERE message_id = m.id ORDER BY id))) ELSE 1 END
ORDER BY s.time_created, s.id, m.time_created, m.id;

-- besides: what OpenCode 2 keeps, a message a row
SELECT json_object(
  'info', json_object('id', s.id, 'title', s.title, 'directory', s.directory, 'version', s.version, 'parentID', s.parent_id,
    'time', json_object('created', s.time_created, 'updated', s.time_updated)),
  'message', json_object('id', m.id, 'type', m.type, 'time', m.time_created, 'data', CASE WHEN json_valid(m.data) THEN json(m.data) END))
FROM session_v2 s JOIN session_message m ON m.session_id = s.id
WHERE s.fork_session_id IS NULL OR NOT EXISTS (SELECT 1 FROM session_message o
  WHERE o.session_id = s.fork_session_id AND o.type = m.type AND o.time_created = m.time_created AND o.data = m.data)
ORDER BY s.time_created, s.id, m.seq;
