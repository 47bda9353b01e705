-- Kiro's and Amazon Q's data.sqlite3: an exchange a row, of several conversations in a directory, and of one, as it was before.
SELECT json_object('kiro', json_object('id', c.conversation_id, 'cwd', c.key, 'created', c.created_at, 'updated', c.updated_at, 'at', h.key),
  'entry', CASE WHEN h.type IN ('object', 'array') THEN json(h.value) END)
FROM conversations_v2 c JOIN json_each(CASE WHEN json_valid(c.value) THEN c.value ELSE '{"history":["damaged"]}' END, '$.history') h
ORDER BY c.created_at, c.conversation_id, h.key;

-- besides: what was said before, which an update leaves where it was
SELECT json_object('kiro', json_object('id', coalesce(CASE WHEN json_valid(c.value) THEN json_extract(c.value, '$.conversation_id') END, c.key), 'cwd', c.key, 'at', h.key),
  'entry', CASE WHEN h.type IN ('object', 'array') THEN json(h.value) END)
FROM conversations c JOIN json_each(CASE WHEN json_valid(c.value) THEN c.value ELSE '{"history":["damaged"]}' END, '$.history') h
ORDER BY c.key, h.key;
