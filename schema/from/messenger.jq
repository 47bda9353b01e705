# Facebook's and Instagram's export of messages, message_1.json: {"participants", "messages"}, the newest first. Its texts are UTF-8 taken for
# Latin-1 and written as escapes: they are turned back.
# pieces backward: messages[]
def utf8: if utf8bytelength == length then . else explode | if any(.[]; . > 255) or all(.[]; . < 128) then implode
  else . as $b | try ([foreach range(length) as $i ({left: 0, c: 0, out: null};
      $b[$i] as $x | .out = null
      | if .left > 0 then
          if $x >= 128 and $x < 192 then .c = .c * 64 + $x - 128 | .left -= 1 | if .left == 0 then .out = .c else . end else error("not UTF-8") end
        elif $x < 128 then .out = $x
        elif $x >= 240 then .c = $x - 240 | .left = 3
        elif $x >= 224 then .c = $x - 224 | .left = 2
        elif $x >= 192 then .c = $x - 192 | .left = 1
        else error("not UTF-8") end; .out | select(. != null))] | implode) catch ($b | implode) end end;
if type != "object" or (.messages | type != "array") then error("a thread without \"messages\"") else . end
| ((.thread_path // "" | split("/") | last) // "" | if . == "" then $file.session else . end) as $session
| {type: "session", session: $session, title: (.title // "" | utf8)},
  (.messages | reverse | .[] | objects
   | {type: "message", session: $session, time: .timestamp_ms, role: "user", name: (.sender_name // "" | utf8),
      content: ([.content | strings | utf8] + [.photos[]? | {type: "image"}] + [.videos[]? | {type: "video"}] + [.audio_files[]? | {type: "audio"}]
        + [.files[]? | {type: "file"}] + (if .sticker then [{type: "sticker"}] else [] end) + [.share.link? | strings | utf8])})
