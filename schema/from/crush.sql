-- Crush's crush.db, one for each project: a message a row, since summaries are marked, and before. Sessions of helpers are left out, and so is
-- an answer that is still being written; one that was broken off is taken after ten minutes.
SELECT json_object('session', s.id, 'title', s.title, 'created', s.created_at, 'id', m.id, 'role', m.role, 'model', m.model,
  'time', m.created_at, 'parts', CASE WHEN json_valid(m.parts) THEN json(m.parts) END)
FROM sessions s JOIN messages m ON m.session_id = s.id
WHERE s.parent_session_id IS NULL AND m.is_summary_message = 0
  AND (m.role <> 'assistant' OR m.finished_at IS NOT NULL OR m.updated_at < CAST(strftime('%s', 'now') AS INTEGER) - 600)
ORDER BY s.created_at, s.id, m.created_at, m.rowid;

SELECT json_object('session', s.id, 'title', s.title, 'created', s.created_at, 'id', m.id, 'role', m.role, 'model', m.model,
  'time', m.created_at, 'parts', CASE WHEN json_valid(m.parts) THEN json(m.parts) END)
FROM sessions s JOIN messages m ON m.session_id = s.id
WHERE s.parent_session_id IS NULL
  AND (m.role <> 'assistant' OR m.finished_at IS NOT NULL OR m.updated_at < CAST(strftime('%s', 'now') AS INTEGER) - 600)
ORDER BY s.created_at, s.id, m.created_at, m.rowid;
