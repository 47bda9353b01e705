#!/bin/sh
# What holds does not depend on the order in which it arrived: sessions are imported, synced and
# extracted as they are found.
. "${0%/*}/lib.sh"
unset MEM_SEED

# Twelve sessions: a day, and what the user said on it.
mkdir days
day() { jq -Rnc --arg d "$1" '[inputs] | to_entries[] | {session: $d, id: "\($d)-\(.key)",
	time: "2024-\($d)T09:0\(.key):00Z", role: "user", project: "/tmp/tide", content: .value}' \
	>"days/$1"; }
day 01-08 <<'END'
We decided to use Stripe for the payments.
Decision: we keep the sessions in Redis.
Todo: renew the certificate of the gateway.
END
day 01-20 <<'END'
Wir haben entschieden, MongoDB für die Karten zu nutzen.
Todo: die Rechnungen an Frau Lindner schicken.
END
day 02-03 <<'END'
Nous avons décidé d'utiliser Jenkins pour la livraison.
Decision: the choir rehearses in the chapel.
END
day 02-18 <<'END'
Hemos decidido usar Vue para la interfaz.
Decisión: usamos yarn para los paquetes.
END
day 03-05 <<'END'
Never deploy on Fridays.
We decided: the audit is on 3 May.
END
day 03-19 <<'END'
Decision: we use Mollie instead of Stripe for the payments.
We dropped Redis, the sessions are in Postgres now.
END
day 04-02 <<'END'
The certificate of the gateway is renewed.
MongoDB nutzen wir nicht mehr.
END
day 04-15 <<'END'
We decided to use Stripe for the payments.
Decision: we keep the sessions in Redis.
END
day 05-01 <<'END'
We decided: the audit was moved to 9 June.
Die Rechnungen an Frau Lindner sind verschickt.
END
day 05-14 <<'END'
Ya no usamos Vue.
Decisión: usamos npm en vez de yarn para los paquetes.
END
day 06-03 <<'END'
We dropped Redis, the sessions are in Postgres now.
Decision: the choir no longer rehearses in the chapel.
END
day 06-20 <<'END'
Decision: we keep the sessions in Redis.
Todo: book the train to Vienna.
END

# anew: another memory, empty.
memories=0
anew() { memories=$((memories + 1)); export MEM_DB="$PWD/$memories.db"; }
# take DAY...: stores these sessions, one after the other, and what is found in each.
take() {
	for d; do
		mem-ingest -q "days/$d"
		mem-list messages -s "$d" | mem-extract --rules | mem-remember -q
	done
}
# told: facts with their times, what they rest on and what ended them, what contradicts what, and
# what is open.
told() {
	mem-list facts --all | jq -rs '(map({(.id): .time}) | add) as $at | .[] | [.content, .time,
		.valid_from, .valid_to // "-", (.sources | length),
		$at[.superseded_by // ""] // "-"] | join(" ")' | LC_ALL=C sort
	mem-list conflicts | jq -r '[.records[].content] | join(" | ")' | LC_ALL=C sort
	mem-list todos | jq -r '"open: " + .content' | LC_ALL=C sort
}
anew
take 01-08 01-20 02-03 02-18 03-05 03-19 04-02 04-15 05-01 05-14 06-03 06-20
told >want
check_out 'the history has ends, and what was decided anew' \
	'Decision: we keep the sessions in Redis 2024-01-08 2024-03-19
Decision: we keep the sessions in Redis 2024-04-15 2024-06-03
Decision: we keep the sessions in Redis 2024-06-20 -' sh -c 'mem-list facts --all |
	jq -r "select(.content | test(\"keep the sessions\")) | [.content, .valid_from[:10],
		.valid_to[:10] // \"-\"] | join(\" \")"'
check_out 'what was decided, dropped, moved and lifted has ended' 'Stripe 03-19
Redis 03-19
MongoDB 04-02
chapel 06-03
yarn 05-14
audit 05-01
Redis 06-03' sh -c 'mem-list facts --all | jq -r "select(.valid_to) |
	(.content | match(\"Stripe|Redis|MongoDB|Vue|yarn|audit|chapel\").string) + \" \" +
		.valid_to[5:10]"'
while read -r order; do
	anew
	# shellcheck disable=SC2086 # days are words
	take $order
	told >got
	check "sessions in the order $order give the same" diff want got
done <<'END'
06-20 06-03 05-14 05-01 04-15 04-02 03-19 03-05 02-18 02-03 01-20 01-08
04-15 01-08 06-20 03-19 06-03 05-14 02-18 04-02 01-20 05-01 03-05 02-03
06-03 04-15 06-20 05-01 01-08 03-19 02-03 04-02 05-14 01-20 02-18 03-05
03-19 06-20 01-08 06-03 04-15 02-03 03-05 01-20 05-14 02-18 04-02 05-01
END
for order in '06-20 01-08 04-15 03-19 06-03' '01-08 06-20 06-03 03-19 04-15'; do
	anew
	for d in $order; do mem-ingest -q "days/$d"; done
	mem-list messages | mem-extract --rules | mem-remember -q
	check_out "all at once, stored in the order $order" '2024-03-19 2024-06-03 -' sh -c \
		'mem-list facts --all | jq -r "select(.content | test(\"keep the sessions\")) |
			.valid_to[:10] // \"-\"" | tr "\n" " " | sed "s/ $//"; echo'
done

# Facts are listed by when they were said, and an agent is told the newest.
anew
mkdir -p tide/.git
n=13
for thing in anchor ballast cable davit engine fender galley hatch ice jib keel lantern; do
	n=$((n - 1))
	printf '{"content":"Decision: repaint each %s","kind":"decision","time":"2023-%02d-01"}\n' \
		"$thing" "$n"
done | mem-remember -q -p "$PWD/tide"
check_out 'facts are listed in the order in which they were said' '01 02 11 12 ' sh -c \
	'mem-list facts | jq -r .time[5:7] | sed -n "1,2p;11,12p" | tr "\n" " "; echo'
check 'an agent is told the newest decisions' sh -c '
	jq -nc --arg c "$PWD/tide" "{session_id: \"s\", cwd: \$c}" | mem-hook claude-code start |
		jq -r .hookSpecificOutput.additionalContext >block
	grep -q anchor block && grep -q ballast block && ! grep -q lantern block'

# What a person lets hold again, the same turn does not end once more; another one does.
anew
take 01-08 03-19
id=$(mem-list facts --all | jq -r 'select(.content | test("keep the sessions")).id')
mem-edit -q --valid-to none "$id"
take 03-19
check_out 'what was let hold again holds' null sh -c 'mem-show "$1" | jq -r .valid_to' sh "$id"
take 06-03
check_out 'until it is said once more' 2024-06-03T09:00:00Z sh -c \
	'mem-show "$1" | jq -r .valid_to' sh "$id"

# What was said three times, at last in other words, and lifted before that.
day 07-01 <<'END'
Decision: we keep the sessions in Redis.
END
day 07-04 <<'END'
Decision: we keep the sessions in Redis.
END
day 07-08 <<'END'
We dropped Redis, the sessions are in Postgres now.
END
day 07-15 <<'END'
Decision: we keep our sessions in Redis.
END
anew
take 07-01 07-04 07-08 07-15
told >want
anew
take 07-01 07-04 07-15 07-08
told >got
check 'what is parted has the words that it rests on' diff want got

# On one key: the later of two that say the same ends what stands between, the earlier what was
# before both.
anew
take 07-01 07-15
jq -nc '{key: "ann:home", kind: "decision"} + ({content: "Ann lives in Kiel.",
	time: "2024-06-01"}, {content: "Ann lives in Bremen.",
	sources: [{id: "source:07-01-0"}, {id: "source:07-15-0"}]},
	{content: "Ann lives in Ulm.", time: "2024-07-08"})' | mem-remember -q
check_out 'what stands between two ends by the later' 'Bremen 07-01 07-08 07-08
Bremen 07-15 - -
Kiel 06-01 07-01 07-01
Ulm 07-08 07-15 07-15' sh -c 'mem-list facts --all | jq -rs "(map({(.id): .time[5:10]}) | add) as \$at |
	.[] | select(.key == \"ann:home\") | [.content[13:-1], .time[5:10], .valid_to[5:10] // \"-\",
	\$at[.superseded_by // \"\"] // \"-\"] | join(\" \")" | sort'

# What is said again behind another value is no repetition, in any order.
day 08-01 <<'END'
Decision: releases are on Monday.
END
day 08-08 <<'END'
Decision: releases are on Thursday.
END
day 08-15 <<'END'
Decision: releases are on Monday.
END
for order in '08-01 08-08 08-15' '08-15 08-08 08-01'; do
	anew
	# shellcheck disable=SC2086 # days are words
	take $order
	check_out "what is said again behind another value stands by itself, $order" \
		'08-01 08-08 08-15 ' sh -c 'mem-list facts --all | jq -r .time[5:10] | tr "\n" " "; echo'
done

# What is not stored, as its id is known, parts nothing that was said twice.
anew
take 01-08 04-15
printf '%s\n' 'Ann feeds the cat.' 'We dropped Redis, the sessions are in Postgres now.' |
	jq -Rc '{id: "x", kind: "decision", time: "2024-03-01", content: .}' | mem-remember -q
check_out 'a fact that comes again with other words changes none' '2 -' sh -c '
	mem-list facts --all | jq -r "select(.content | test(\"keep the sessions\")) | [(.sources | length),
		.valid_to // \"-\"] | join(\" \")"'

# Two memories, each with one side of it: the next extraction of what both have ends it.
anew
take 03-19
mem-export >other
anew
take 01-08
check 'a memory has what another found' mem-import -q other
mem-list messages | mem-extract --rules | mem-remember -q
check_out 'what one decided ends by what the other dropped' 2024-03-19T09:01:00Z sh -c \
	'mem-list facts --all | jq -r "select(.content | test(\"keep the sessions\")).valid_to"'
check 'the store is whole' mem-check --deep -q
done_testing
