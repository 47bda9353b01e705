-- claude-mem's database: an observation a row, then a summary of a session a row.
SELECT json_object('id', id, 'title', title, 'facts', facts, 'narrative', narrative, 'text', text, 'created_at', created_at)
FROM observations UNION ALL
SELECT json_object('id', id, 'learned', learned, 'completed', completed, 'created_at', created_at) FROM session_summaries;

SELECT json_object('id', id, 'facts', NULL, 'narrative', NULL, 'text', text, 'created_at', created_at) FROM observations;
