# Tasks of Cline, Roo Code and Kilo Code: tasks/ID/ui_messages.json, an array of what was shown, or api_conversation_history.json, an array
# of what the model was sent. The directory is the session. Of what was shown the words of both and the calls are kept, not the state of
# requests; of what was sent the tags around a person's words go, and what describes the editor.

def task: if $file.directory != "" then $file.directory else $file.session end;
def call($name; $arguments): {content: "", tool_calls: [{type: "function", function: {name: $name, arguments: $arguments}}]};
def json: try fromjson catch null;
def inside($tag): split("<" + $tag + ">") | select(length > 1) | .[1:] | join("<" + $tag + ">") | split("</" + $tag + ">")
  | (if length > 1 then .[:-1] else . end) | join("</" + $tag + ">") | ltrimstr("\n") | rtrimstr("\n");
def without($tag): if contains("<" + $tag + ">") then gsub("\\s*<\($tag)>.*?</\($tag)>\\s*"; "\n"; "p") | ltrimstr("\n") | rtrimstr("\n") else . end;

def shown:
  (.say // .ask) as $what
  | [.images | arrays | .[] | {type: "image"}] as $images
  | .text as $text
  | .ts as $time
  | if .partial == true then empty
    elif $what == "task" or $what == "user_feedback" or ($what == "text" and .type == "say" and $file.line == 1) then
      {role: "user", content: ([$text // ""] + $images)}
    elif .type == "say" and ($what == "text" or $what == "completion_result") then {role: "assistant", content: ([$text // ""] + $images)}
    elif $what == "followup" then {role: "assistant", content: (($text | json | objects | .question) // $text)}
    elif $what == "plan_mode_respond" then {role: "assistant", content: (($text | json | objects | .response) // $text)}
    elif $what == "tool" then {role: "assistant"} + call(($text | json | objects | .tool) // "tool"; $text)
    elif $what == "command" then {role: "assistant"} + call("execute_command"; $text)
    elif $what == "use_mcp_server" then {role: "assistant"} + call("use_mcp_server"; $text)
    elif $what == "command_output" or $what == "mcp_server_response" then {role: "tool", content: ($text // "")}
    else empty end
  | select(.content != null)
  | {type: "message", session: task, source_id: "\($time // $file.line):\($what)", time: $time} + .;

# Parts of what a person's turn was sent as: their own words, and what tools gave.
def own: first(inside("task", "user_message", "feedback", "answer"));
def sent:
  . as $m
  | {type: "message", session: task, time: .ts} as $base
  | "\(.ts // $file.line)" as $id
  | [.content | if type == "string" then {type: "text", text: .} else .[]? | objects end] as $parts
  | if .role == "user" then
      any($parts[]; .type == "text" and (.text | test("^\\[[a-z_]+[^\\n]*\\] Result:"))) as $result
      | [$parts[] | if .type == "text" then .text |= without("environment_details") else . end | select(.type != "text" or (.text != "" and (.text | test("^\\[attempt_completion\\] Result:\\s*$") | not)))
         | if .type == "tool_result" then {tool: .}
           elif .type == "text" then (.text | [own]) as $own
             | if $own != [] then {said: $own[0]} elif $result then {tool: .} else {said: .} end
           else {said: .} end] as $all
      | ([$all[] | .tool | select(.)] | select(. != []) | $base + {source_id: "\($id):tool", role: "tool", content: .}),
        ([$all[] | .said | select(.)] | select(. != []) | $base + {source_id: $id, role: "user", content: .})
    else
      $base + {source_id: $id, role,
        content: [$parts[] | if .type == "text" then .text |= (without("thinking") | first(inside("result")) // .) else . end]}
    end;

select(type == "object")
| if .say or .ask then shown
  elif .role then sent
  else error("neither \"say\" nor \"ask\" nor \"role\"") end
