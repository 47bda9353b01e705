-- The llm tool's logs.db: a response a row, in the shape of `llm logs list --json`; with tools and fragments, or before them.
SELECT json_object('id', r.id, 'conversation_id', r.conversation_id, 'conversation_name', c.name, 'model', r.model,
  'prompt', r.prompt, 'system', r.system, 'response', r.response, 'datetime_utc', r.datetime_utc,
  'prompt_fragments', (SELECT json_group_array(json_object('content', f.content, 'source', f.source))
    FROM (SELECT g.content, g.source FROM prompt_fragments x JOIN fragments g ON g.id = x.fragment_id
      WHERE x.response_id = r.id ORDER BY x."order") f),
  'attachments', (SELECT json_group_array(json_object('type', a.type, 'path', a.path, 'url', a.url))
    FROM prompt_attachments x JOIN attachments a ON a.id = x.attachment_id WHERE x.response_id = r.id),
  'tool_calls', (SELECT json_group_array(json_object('name', t.name, 'arguments', t.arguments, 'tool_call_id', t.tool_call_id))
    FROM tool_calls t WHERE t.response_id = r.id),
  'tool_results', (SELECT json_group_array(json_object('name', t.name, 'output', t.output, 'tool_call_id', t.tool_call_id))
    FROM tool_results t WHERE t.response_id = r.id))
FROM responses r LEFT JOIN conversations c ON c.id = r.conversation_id
ORDER BY r.datetime_utc, r.id;

SELECT json_object('id', r.id, 'conversation_id', r.conversation_id, 'conversation_name', c.name, 'model', r.model,
  'prompt', r.prompt, 'system', r.system, 'response', r.response, 'datetime_utc', r.datetime_utc)
FROM responses r LEFT JOIN conversations c ON c.id = r.conversation_id
ORDER BY r.datetime_utc, r.id;
