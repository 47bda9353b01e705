# LongMemEval: an array of questions, each with the sessions in which its answer is. Sessions keep their ids, with the question's before them;
# the question itself is no part of what was said.
# pieces: haystack_sessions[]
if type != "object" or (.haystack_sessions | type != "array") then error("a question without \"haystack_sessions\"") else . end
| . as $q
| "\(.question_id // $file.line)" as $id
| ($file.piece.first // 0) as $first
| range(.haystack_sessions | length) as $at
| ($at + $first) as $i
| "\($id):\($q.haystack_session_ids[$i] // ($i + 1)):\($i + 1)" as $session
| ($q.haystack_dates[$i]? // null) as $time
| {type: "session", session: $session, created: $time},
  ($q.haystack_sessions[$at] | arrays | to_entries[]
   | {type: "message", session: $session, source_id: "\($session):\(.key + 1)", role: .value.role, content: .value.content, timestamp: $time}
     + (if .value.has_answer then {has_answer: true} else {} end))
