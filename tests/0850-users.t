#!/bin/sh
# Two users with planted canaries: no program, no option and no value shows one what is the other's.
. "${0%/*}/lib.sh"
unset MEM_SEED

# Bob's: every word of his holds "quokka", every name of his "wombat", so that a value which names him can be told from what is his.
cat >bob.ndjson <<'E'
{"type":"session","session":"wombat-session","title":"quokka title","system_prompt":"quokka prompt","metadata":{"quokka":"metadata"},"created":"2024-01-02T03:04:05Z"}
{"session":"wombat-session","id":"wombat-1","role":"user","name":"Wombat","agent":"wombat-agent","project":"wombat-project","time":"2024-05-01T10:00:00Z","content":"the quokka secret about the lighthouse is 4711","extra":"quokka extra"}
{"session":"wombat-session","id":"wombat-2","role":"assistant","time":"2024-05-01T10:01:00Z","content":"I shall remember quokka.\n\n```c\nint quokka_code;\n```","tool_calls":[{"name":"quokka_call"}]}
{"session":"shared","id":"same","role":"user","time":"2024-05-01T10:02:00Z","content":"quokka in a session of the same name"}
{"session":"shared","role":"system","content":"quokka system prompt"}
