#!/bin/sh
# packaging/plugin: what it makes is what schema/ has, and what the hosts' schemas ask for.
. "${0%/*}/lib.sh"

check 'the plugins are built' env VERSION=1.2.3 sh "$ROOT/packaging/plugin/build" out
cd out || exit 1
check 'each file that is to be JSON is JSON' sh -c \
	'find . -name "*.json" >names && test "$(wc -l <names)" = 11 && xargs jq -e . <names'
for pair in claude-code:claude-code codex:codex mem:gemini; do
	check "the hooks of ${pair#*:} are those that mem-setup adds" \
		cmp "${pair%:*}/hooks/hooks.json" "$ROOT/schema/hooks/${pair#*:}.json"
	check_out "its skill has a name and says within 1,024 characters when to use it" 'mem true' \
		sh -c 'sed -n "2,/^---/p" "$1/skills/mem/SKILL.md" | awk -F ": " "
			/^name/ { name = \$2 } /^description/ { n = length(\$0) }
			END { print name, (n > 100 && n <= 1024 ? \"true\" : \"false\") }"' \
		sh "${pair%:*}"
done
check 'the skill names each tool of the server' sh -c \
	'jq -r ".[].name" "$ROOT/schema/mcp/tools.json" |
		while read -r t; do grep -q "\`$t\`" mem/skills/mem/SKILL.md || exit 1; done'
check_out 'the servers are those that mem-setup adds, in the hosts own forms' \
	'mem-mcp stdio
mem-mcp stdio
mem-mcp -' sh -c 'jq -r ".mcpServers.mem | .command + \" \" + (.type // \"-\")" \
		claude-code/.mcp.json codex/.mcp.json mem/gemini-extension.json'
check_out 'each manifest has the name and the version' 'mem 1.2.3
mem 1.2.3
mem 1.2.3' jq -r '"\(.name) \(.version)"' claude-code/.claude-plugin/plugin.json \
	codex/.codex-plugin/plugin.json mem/gemini-extension.json
check 'the marketplaces lead to directories that are there' sh -c \
	'test -d "$(jq -r ".plugins[0].source" .claude-plugin/marketplace.json)" &&
		test -d "$(jq -r ".plugins[0].source.path" .agents/plugins/marketplace.json)"'
# What the manifest of Codex must have, by its published schema.
check 'the manifest of Codex is whole' jq -e '(keys - ["name", "version", "description", "author",
	"license", "keywords", "skills", "mcpServers", "interface"] == []) and
	(.interface | has("displayName") and has("shortDescription") and has("longDescription") and
		has("developerName") and has("category") and has("capabilities") and
		(.defaultPrompt | length <= 3))' codex/.codex-plugin/plugin.json
# By the schema of 2025-12-11: what is required, what may be there, and the forms of names.
check 'the listing for a registry of servers is whole' jq -e '
	(keys - ["$schema", "name", "title", "description", "version", "packages"] == []) and
	(.["$schema"] | endswith("/schemas/2025-12-11/server.schema.json")) and
	(.name | test("^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$")) and (.description | length <= 100) and
	(.title | length <= 100) and .version == "1.2.3" and (.packages | length == 1) and
	(.packages[0] | (keys - ["registryType", "identifier", "version", "runtimeHint",
		"transport", "environmentVariables"] == []) and .version == "1.2.3" and
		.identifier == "mem-memory" and .transport == {type: "stdio"})' server.json
check_out 'who publishes it gives the name of the server' com.example/mem sh -c \
	'VERSION=1 MCP_NAME=com.example/mem sh "$ROOT/packaging/plugin/build" named >/dev/null
	jq -r .name named/server.json'
if command -v python3 >/dev/null; then
	mkdir -p mem/bin && echo '# mem' >mem/README.md
	printf '#!/bin/sh\necho "mem $*"\n' >mem/bin/mem
	chmod +x mem/bin/mem
	tar -czf mem-1.2.3-linux-x86_64.tar.gz mem
	check_out 'the wheel names the server and has a program that is called as the package' \
		'<!-- mcp-name: org.example/mem -->
mem mcp -q' sh -c 'python3 "$ROOT/packaging/wheel" mem-1.2.3-linux-x86_64.tar.gz . >wheel &&
		python3 -m zipfile -e "$(cat wheel)" w && grep mcp-name w/*.dist-info/METADATA &&
		chmod +x w/*/scripts/* && w/*/scripts/mem-memory -q'
else
	skip 'the wheel names the server' 'no python3'
fi
done_testing
