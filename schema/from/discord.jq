# Discord, as DiscordChatExporter writes it: {"guild", "channel", "messages"}. The channel is the session. A bot is the assistant; people are
# speakers; what Discord itself says, of who joined and the like, is left out.
# pieces: messages[]
if type != "object" or (.messages | type != "array") then error("a channel without \"messages\"") else . end
| (.channel.id // $file.session) as $session
| {type: "session", session: $session, title: .channel.name,
   metadata: ({guild: .guild.name, category: .channel.category, topic: .channel.topic} | with_entries(select(.value != null)))},
  (.messages[] | objects
   | select(.type | IN("Default", "Reply", "ChatInputCommand", "ContextMenuCommand", "ThreadStarterMessage", null, "0", "19"))
   | {type: "message", session: $session, source_id: .id, time: .timestamp, role: (if .author.isBot then "assistant" else "user" end),
      name: (.author.nickname // .author.name // ""),
      content: ([.content | strings | select(. != "")]
        + [select(.author.isBot or .content == "") | .embeds[]? | objects | [.title, .description | strings | select(. != "")] | select(. != []) | join("\n")]
        + [.attachments[]? | objects | .fileName as $name
           | {type: (if $name // "" | test("\\.(png|jpe?g|gif|webp)$"; "i") then "image" else "file" end), name: $name}]
        + [.stickers[]? | objects | {type: "sticker", name}])}
     + (if .reference.messageId? then {reply_to: .reference.messageId} else {} end))
