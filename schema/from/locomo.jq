# LoCoMo: an array of samples, each a conversation of two people in "session_1", "session_2" ... with a time each. A sample's session N is the
# session SAMPLE:N; the questions about it are no part of what was said.
if type != "object" or (.conversation | type != "object") then error("a sample without \"conversation\"") else . end
| "\(.sample_id // $file.line)" as $sample
| .conversation as $c
| [$c | keys_unsorted[] | select(test("^session_[0-9]+$")) | ltrimstr("session_") | tonumber] | sort[] as $n
| $c["session_\($n)"] | arrays | select(. != [])
| "\($sample):\($n)" as $session
| $c["session_\($n)_date_time"] as $time
| {type: "session", session: $session, created: $time, metadata: {sample: $sample}},
  (.[] | objects
   | {type: "message", session: $session, source_id: "\($sample):\(.dia_id)", role: "user", name: .speaker, timestamp: $time,
      content: ([.text // ""] + (if .blip_caption then [{type: "image", name: .blip_caption}] else [] end)), dia_id})
