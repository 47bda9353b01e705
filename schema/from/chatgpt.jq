# ChatGPT's data export: conversations.json, an array of conversations, each a tree of messages. The thread is the path from the root
# to current_node: a regenerated answer's siblings were not what the person went on with. Hidden messages and the model's instructions
# are left out; what the assistant sent to a tool becomes a tool call. Marks for the screen stand in U+E200 ... U+E201: of a thing its name
# is read there, citations and the like show nothing.
# tree: mapping parent current_node message.create_time

def is_of($pointer): .id as $id | ($id | type == "string" and . != "") and ($pointer | endswith($id));
def shown($kind; $name): "[" + $kind + (if $name then ": " + $name else "" end) + "]";

def unmarked:
  if contains("\ue200") then
    gsub("\ue200entity\ue202\\[\"[^\"]*\", ?\"(?<name>[^\"]*)\"[^\ue201]*\ue201"; .name) | gsub(" ?\ue200[^\ue200\ue201]*\ue201"; "")
  else . end;

# The text of a part; what is none shows as "[image: NAME]", the name by the attachment of the same id.
def text($files):
  if type == "string" then .
  elif type != "object" then empty
  elif .text then .text
  else
    (.asset_pointer // "") as $pointer
    | shown(.content_type // "attachment" | if startswith("real_time") then "audio" else split("_")[0] end;
        first($files[] | select(is_of($pointer)) | .name) // null)
  end;

def body($files):
  .content_type as $type
  | if $type == "text" or $type == "multimodal_text" then [.parts[]? | text($files) | select(. != "")] | join("\n\n")
    elif $type == "thoughts" or $type == "reasoning_recap" or $type == "user_editable_context" or $type == "model_editable_context" then ""
    elif $type == "tether_browsing_display" then .result // ""
    elif .text then .text
    elif .parts then [.parts[] | text($files) | select(. != "")] | join("\n\n")
    else .result // .output_str // "" end;

# A message's text, and then the files that came with it and stand in no part.
def said:
  [.metadata.attachments? | arrays | .[] | objects | select(.name | type == "string")] as $files
  | (.content // {}) as $content
  | [$content.parts? | arrays | .[] | objects | .asset_pointer | strings] as $pointers
  | [($content | body($files) | unmarked | select(. != "")),
     ($files[] | select(. as $f | [$pointers[] as $p | $f | is_of($p)] | any | not)
       | shown(if .mime_type // .mimeType // "" | startswith("image/") then "image" else "file" end; .name))]
  | join("\n\n");

def hidden:
  .metadata.is_visually_hidden_from_conversation == true or .author.role == "system" or .author.role == "developer";

if type != "object" or (.mapping | type != "object") then
  error("a conversation without \"mapping\"")
else . end
| . as $c
| .mapping as $nodes
| (first((.conversation_id, .id | strings), "\($file.session):\($file.line)") + ($file.piece.branch | if . then ":" + . else "" end)) as $session
| [$nodes[] | .message? | objects] as $thread
| select($thread != [])
| {type: "session", session: $session, title: ($c.title // null),
   created: ($c.create_time // ([$thread[].create_time | numbers] | min)), updated: ($c.update_time // null),
   metadata: ($c | {gizmo_id, default_model_slug, is_archived} | with_entries(select(.value != null)))},
  ($thread[] | select(hidden | not)
   | said as $text
   | (.author.role // "user") as $role
   | (.recipient // "all") as $to
   | {type: "message", session: $session, source_id: .id, time: .create_time, role: $role}
     + (if .author.name then {name: .author.name} else {} end)
     + (if .metadata.model_slug then {model: .metadata.model_slug} else {} end)
     + (if $role == "assistant" and $to != "all" then
          {content: "", tool_calls: (if $text == "" then [] else [{type: "function", function: {name: $to, arguments: $text}}] end)}
        else {content: $text} end))
