-- Cursor's globalStorage/state.vscdb: a bubble a row, in the order that its conversation names; older conversations hold their bubbles.
SELECT json_object('composer', json_object('id', c.id, 'name', json_extract(c.value, '$.name'),
    'created', json_extract(c.value, '$.createdAt'), 'updated', json_extract(c.value, '$.lastUpdatedAt'),
    'model', json_extract(c.value, '$.modelConfig.modelName'),
    'folder', json_extract(c.value, '$.workspaceIdentifier.uri.fsPath')),
  'bubble', json(coalesce(b.value, h.value)), 'id', coalesce(json_extract(h.value, '$.bubbleId'), h.key), 'header', json(h.value))
FROM (SELECT substr(key, 14) id, value FROM cursorDiskKV
    WHERE key >= 'composerData:' AND key < 'composerData;' AND json_valid(value)) c
  JOIN json_each(CASE WHEN json_array_length(c.value, '$.conversation') > 0 THEN json_extract(c.value, '$.conversation')
    ELSE coalesce(json_extract(c.value, '$.fullConversationHeadersOnly'), '[]') END) h
  LEFT JOIN cursorDiskKV b ON b.key = 'bubbleId:' || c.id || ':' || json_extract(h.value, '$.bubbleId') AND json_valid(b.value)
ORDER BY json_extract(c.value, '$.createdAt'), c.id, h.key;

-- a workspace's state.vscdb of VS Code, which has no conversations
SELECT NULL FROM ItemTable WHERE 0;
