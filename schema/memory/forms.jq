# What other memories hold, as records {form, id, content, time, until, about}; "lines": each line of
# the content is one. Nothing comes of a value that is known and holds no memory, such as a relation.
def said: if type == "string" then select(test("\\S")) else empty end;
def written: .updated_at // .last_updated // .created_at // .created_timestamp;
def list: if type == "string" then (try fromjson catch []) else . // [] end;

# claude-mem: facts of an observation, or what there is in their place
def observation:
  . as $o | [.facts | list[] | said] as $facts |
  if ($facts | length) > 0 then $facts[] else [.title, .narrative, .text | said] | first // empty end |
  {form: "claude-mem", id: ($o.id | tostring), content: ., time: $o.created_at, about: ""};
def summary:
  . as $s | .learned, .completed | said |
  {form: "claude-mem", id: "summary \($s.id)", content: ., time: $s.created_at, about: ""};

def pam:
  .memories[] | select(.status == null or .status == "active") | .content as $c |
  select($c | said) | {form: "pam", id: (.id // "" | tostring), content: $c, about: "",
    time: (.temporal.updated_at // .temporal.created_at),
    until: (.temporal.valid_until // (if .temporal.superseded_by then .temporal.updated_at else null end))};

def chatgpt:
  .memories[] | select(.content | said) |
  {form: "chatgpt", id: (.id // "" | tostring), content, time: written, about: ""};

def mem0:
  select(.memory | said) |
  {form: "mem0", id: (.id // "" | tostring), content: .memory, time: written, until: .expiration_date, about: ""};

def claude:
  ((.conversations_memory | said |
    {form: "claude", id: "conversations_memory", content: ., lines: true, about: ""}),
  (.project_memories // {} | to_entries[] | select(.value | said) |
    {form: "claude", id: "project_memories/\(.key)", content: .value, lines: true, about: ""}));

def mcp:
  . as $e | .observations | to_entries[] | select(.value | said) |
  {form: "mcp", id: "\($e.name):\(.key + 1)", content: .value, about: $e.name};

# ours: what is remembered; what was said, and what else an export has, is none
def ours:
  if (.type == "fact" or .type == "reflection") and (.content | said) then
    select(.retracted == null) |
    {form: "mem", id: (.id // ""), content, time, until: .valid_to, about: ""}
  else {form: "other"} end;

def one:
  if type != "object" then error("no record of a memory that is known")
  elif (.type | type) == "string" and (has("user") or .type == "export" or .type == "exported") then ours
  elif .schema == "portable-ai-memory" then pam
  elif has("conversations_memory") or has("project_memories") then claude
  elif has("observations") and (.type == "entity" or has("entityType")) then mcp
  elif .type == "relation" or has("relationType") then empty
  elif has("entities") and has("relations") then .entities[] | mcp
  elif has("observations") then (.observations[] | observation), (.summaries // [] | .[] | summary)
  elif has("memories") and (.memories | all(has("content"))) then chatgpt
  elif has("results") or has("memories") then (.results // .memories)[] | mem0
  elif has("memory") then mem0
  elif has("narrative") and has("facts") then observation
  elif has("learned") and has("completed") then summary
  else error("no record of a memory that is known: its keys are \(keys_unsorted[:6] | join(", "))") end;

if type == "array" then .[] else . end | one
