# agents.sh: a made home with twelve agents, for tests of mem-setup. Sourced after lib.sh.
#
#	agents_home       histories and configurations in $HOME, each file written as another person
#	                  might have: comments, tabs, no newline at the end, CRLF, a link, no file
#	tree DIR          a line for each file, directory and link in DIR, with mode and bytes
#	fake_timers DIR   a crontab, and a systemctl that fails, as programs in DIR

agents_home() {
	from=$ROOT/tests/fixtures/from
	mkdir -p .claude/projects/-srv-gauge .codex/sessions/2026/03/01 .gemini/tmp/abc/chats \
		.cursor .copilot .config/opencode .config/goose .qwen/projects/p/chats .kimi-code \
		.hermes .config/zed dotfiles \
		.config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/17/
	cp "$from/claude-code.jsonl" .claude/projects/-srv-gauge/a.jsonl
	cp "$from/codex.jsonl" .codex/sessions/2026/03/01/rollout-2026-03-01T09-00-00-a.jsonl
	cp "$from/gemini.jsonl" .gemini/tmp/abc/chats/session-a.jsonl
	cp "$from/qwen.jsonl" .qwen/projects/p/chats/a.jsonl
	printf '{\n\t"model": "opus",\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t{\n\t\t\t\t"hooks": [{"type": "command", "command": "say done"}]\n\t\t\t}\n\t\t]\n\t}\n}\n' >.claude/settings.json
	printf '{"numStartups":17,"mcpServers":{"github":{"command":"gh-mcp"}},"projects":{"/srv":{}}}' >.claude.json
	chmod 600 .claude.json
	printf '# mine\nmodel = "gpt-5"\n\n[mcp_servers.github]\ncommand = "gh-mcp" # theirs\n\n[tui]\ntheme = "dark"' >.codex/config.toml
	printf '{\n  "ui": { "theme": "dark" },\n}\n' >.gemini/settings.json
	printf '{\r\n  "mcpServers": {}\r\n}\r\n' >.cursor/mcp.json
	printf '// all of it\n{\n  "$schema": "https://opencode.ai/config.json", // where\n  /* no servers yet */\n}\n' >.config/opencode/opencode.jsonc
	printf 'GOOSE_MODEL: x\nextensions:\n  developer:\n    enabled: true\n    type: builtin\nGOOSE_MODE: auto\n' >.config/goose/config.yaml
	printf '{}' >dotfiles/qwen.json
	ln -s ../dotfiles/qwen.json .qwen/settings.json
	printf 'default_model = "k2"\n\n[[hooks]]\nevent = "Stop"\ncommand = "say done"\n' >.kimi-code/config.toml
	printf 'model:\n  default: x\nmcp_servers: {}\n' >.hermes/config.yaml
	printf '// Zed\n{\n  "theme": "One",\n  "context_servers": {\n    // none\n  },\n}\n' >.config/zed/settings.json
	chmod 640 .config/zed/settings.json
}

tree() {
	(cd "$1" && find . -mindepth 1 ! -path './.local/share*' ! -name 'mem.db*' -printf '%p %y %m %l\n' | sort
	 cd "$1" && find . -type f ! -path './.local/share*' ! -name 'mem.db*' | sort | xargs -d '\n' cksum)
}

fake_timers() {
	mkdir -p "$1"
	cat >"$1/crontab" <<'END'
#!/bin/sh
f=${FAKE_CRONTAB:?}
case $1 in
-l) [ -f "$f" ] || { echo 'no crontab for me' >&2; exit 1; }; cat "$f" ;;
-r) rm "$f" ;;
-) cat >"$f.new" && mv "$f.new" "$f" ;;
esac
END
	printf '#!/bin/sh\nexit 1\n' >"$1/systemctl"
	chmod +x "$1/crontab" "$1/systemctl"
	FAKE_CRONTAB=$top/crontab
	PATH=$1:$PATH
	export FAKE_CRONTAB PATH
}
