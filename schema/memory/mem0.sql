-- mem0's history.db: of each memory what it was last made, unless that was nothing.
SELECT json_object('id', h.memory_id, 'memory', h.new_memory, 'created_at', h.created_at, 'updated_at', h.updated_at)
FROM history h
WHERE coalesce(h.is_deleted, 0) = 0 AND h.event <> 'DELETE'
  AND NOT EXISTS (SELECT 1 FROM history n WHERE n.memory_id = h.memory_id AND n.rowid > h.rowid);
