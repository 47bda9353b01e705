-- Cursor's globalStorage/state.vscdb: a bubble a row, in the order that its conversation names; older conversations hold their bubbles.
SELECT json_object('composer', json_object('id', c.id, 'name', json_extract(c.value, '$.name'),
    'created', json_extract(c.value, '$.createdAt'), 'updated', json_extract(c.value, '$.lastUpdatedAt'),
    'model', json_extract(c.value, '$.modelConfig.modelName'),
    'folder', json_extract(c.value, '$.workspaceIdentifier.uri.fsPath')),
  'bubble', json(coalesce(b.value, h.value)), 'id', coalesce(json_extract(h.value, '$.bubbleId'), h.key), 'header', json(h.value))
FROM (SELECT substr(key, 14) id, value FROM cursorDiskKV
    WHERE key >= 'composerData:' AND key < 'composerData;' AND json_valid(value)
      AND json_extract(value, '$.subagentInfo') IS NULL) c
  JOIN json_each(CASE WHEN json_array_length(c.value, '$.conversation') > 0 THEN json_extract(c.value, '$.conversation')
    ELSE coalesce(json_extract(c.value, '$.fullConversationHeadersOnly'), '[]') END) h
  LEFT JOIN cursorDiskKV b ON b.key = 'bubbleId:' || c.id || ':' || json_extract(h.value, '$.bubbleId') AND json_valid(b.value)
ORDER BY json_extract(c.value, '$.createdAt'), c.id, h.key;

-- Cursor's command line, chats/HASH/ID/store.db: blobs under their hashes, of which those that are JSON are messages, in the order in which they
-- came; the others tell which message follows which. What is known of the session is JSON in hexadecimal digits. A store without such
-- messages is of a form that is not known.
SELECT json_object('chat', json_object('about', (SELECT value FROM meta LIMIT 1), 'id', b.id,
  'message', CASE WHEN json_valid(CAST(b.data AS TEXT)) THEN json(CAST(b.data AS TEXT)) END))
FROM blobs b
WHERE CASE WHEN json_valid(CAST(b.data AS TEXT)) THEN json_extract(CAST(b.data AS TEXT), '$.role') IS NOT NULL
  ELSE b.rowid = (SELECT min(rowid) FROM blobs) AND NOT EXISTS (SELECT 1 FROM blobs o
    WHERE CASE WHEN json_valid(CAST(o.data AS TEXT)) THEN json_extract(CAST(o.data AS TEXT), '$.role') IS NOT NULL END) END
ORDER BY b.rowid;

-- a workspace's state.vscdb of VS Code, which has no conversations
SELECT NULL FROM ItemTable WHERE 0;
