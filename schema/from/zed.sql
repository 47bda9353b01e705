-- Zed's threads.db: a thread a row, its body JSON or packed by zstd; since there are folders, and before.
SELECT json_object('zed', json_object('id', id, 'title', summary, 'created', created_at, 'updated', updated_at, 'folders', folder_paths),
  'thread', json(CASE data_type WHEN 'zstd' THEN unzstd(data) ELSE CAST(data AS TEXT) END))
FROM threads ORDER BY coalesce(created_at, updated_at), id;

SELECT json_object('zed', json_object('id', id, 'title', summary, 'updated', updated_at),
  'thread', json(CASE data_type WHEN 'zstd' THEN unzstd(data) ELSE CAST(data AS TEXT) END))
FROM threads ORDER BY updated_at, id;
