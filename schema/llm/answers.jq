# What agents' commands print (lib/base/preset.c), a definition each of whose result is an answer of OpenAI's chat, with an error where it tells one. The
# input is all that was printed, a string. null: it does not say.

def answer($text; $model; $wrong; $tokens_in; $tokens_out):
  {model: $model, choices: [{message: {content: $text}}], usage: {prompt_tokens: $tokens_in, completion_tokens: $tokens_out}, error: {message: $wrong}};
def sum: map(numbers | select(. >= 0)) | add;
# The object that is printed, whatever stands before and behind it.
def whole: (fromjson? // ("{" + (split("{")[1:] | join("{")) | (split("}")[:-1] | join("}")) + "}" | fromjson?)) | objects;

def text: answer(.; null; null; null; null);

# claude -p --output-format json
def claude: whole | answer(.result;
  [.modelUsage | objects | keys_unsorted[]] | first;
  if .is_error == true then (.result | strings) // .subtype else null end;
  [.usage | .input_tokens?, .cache_creation_input_tokens?, .cache_read_input_tokens?] | sum;
  [.usage | .output_tokens?] | sum);

# gemini --output-format json: the tokens of all models, by name
def gemini: whole | [.stats.models? | objects | to_entries[]] as $models
  | def tokens(f): if $models == [] then null else [$models[].value.tokens? | f] | sum // 0 end;
  answer(.response; $models[0].key; (.error | objects | .message) // null; tokens(.prompt?); tokens(.candidates?, .thoughts?));

# codex exec --json: events, a line each. It goes on after some errors, to try again.
def codex: reduce (split("\n")[] | fromjson? | objects) as $e ({};
  if $e.type == "item.completed" and ($e.item.type? // "") == "agent_message" then .text = $e.item.text
  elif $e.type == "turn.completed" and $e.usage != null then
    .in = ([$e.usage.input_tokens?] | sum) | .out = ([$e.usage.output_tokens?] | sum) | .wrong = null
  elif $e.type == "turn.failed" then .wrong = ($e.error.message? // null)
  elif $e.type == "error" then .wrong = $e.message
  else . end) | answer(.text; null; .wrong; .in; .out);
