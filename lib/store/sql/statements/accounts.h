/* accounts.h: statements (store/sql/statements.h) on what was read, asked, spent and done. */
#ifdef STMT

/* ---- inputs ---- */
STMT(INPUT_GET, "SELECT device, inode, offset, line, head, positional, state FROM input WHERE "
	"user = :user AND path = :path")
STMT(INPUTS_BELOW, "SELECT path, device, inode, offset, line, head, positional, state FROM input "
	"WHERE user = :user AND path >= :lo AND path < :hi ORDER BY path")
STMT(INPUT_PUT, "INSERT OR REPLACE INTO input (user, path, device, inode, offset, line, head, "
	"positional, state) VALUES (:user, :path, :device, :inode, :offset, :line, :head, "
	":positional, :state)")
STMT(INPUT_DROP, "DELETE FROM input WHERE user = :user AND path = :path")
/* paths begin with a slash; other rows are no files */
STMT(INPUTS_FORGET, "DELETE FROM input WHERE user = :user AND path >= '/' AND path < '0' AND "
	"(instr(path, :name) > 0 OR instr(state, :name) > 0 OR NOT EXISTS (SELECT 1 FROM session "
	"WHERE user = :user))")

/* ---- answers: inputs whose path is no file's, and whose offset is when they came ---- */
STMT(ANSWER_GET, "SELECT state FROM input WHERE user = :user AND path = 'answer:' || :key AND "
	"offset > :after AND offset <= :now")
STMT(ANSWER_PUT, "INSERT OR REPLACE INTO input (user, path, device, inode, offset, line, head, "
	"positional, state) VALUES (:user, 'answer:' || :key, 0, 0, :now, 0, x'', 0, :text)")
STMT(ANSWERS_DROP, "DELETE FROM input WHERE user = :user AND path >= 'answer:' AND path < "
	"'answer;' AND NOT offset BETWEEN :after AND :now")

/* ---- metrics ---- */
STMT(METRIC_PUT, "INSERT INTO metric (user, time, program, path, query_hash, query_bytes, hits, "
	"candidates, top, us_open, us_text, us_vectors, us_rank, us_fetch, us_all, flags, handed) "
	"VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17) "
	"RETURNING id /* user */")
STMT(METRICS, "SELECT id, time, program, path, query_hash, query_bytes, hits, candidates, top, "
	"us_open, us_text, us_vectors, us_rank, us_fetch, us_all, flags FROM metric WHERE user = "
	":user AND time >= :since AND id > :after ORDER BY id LIMIT :limit")
STMT(METRICS_DROP, "DELETE FROM metric WHERE user = :user AND time < :before")
STMT(HANDED, "SELECT time, program, path, handed FROM metric WHERE user = :user AND handed IS NOT "
	"NULL ORDER BY id DESC")
STMT(HANDED_NEXT, "SELECT id, handed FROM metric WHERE user = :user AND id > :after AND handed IS "
	"NOT NULL ORDER BY id LIMIT 1")
STMT(HANDED_SET, "UPDATE metric SET handed = :items WHERE id = :id AND user = :user")

/* ---- figures ---- */
/* in this order: the numbers of enum role, so that nothing has to be sorted */
STMT(STAT_MESSAGES, "SELECT " HOW_MANY("role = 0") ", " HOW_MANY("role = 1") ", "
	HOW_MANY("role = 2") ", " HOW_MANY("role = 3") ", " HOW_MANY("role = 4") ", "
	HOW_MANY("role > 4") ", sum(length(CAST(content AS BLOB))), sum(tokens), sum(chunks), "
	"min(time), max(time) FROM message WHERE id BETWEEN :lo AND :hi")
STMT(STAT_SESSIONS, "SELECT count(*) FROM session WHERE user = :user AND part = 0")
STMT(STAT_CHUNKS, "SELECT kind, count(*) FROM chunk WHERE message BETWEEN :lo AND :hi GROUP BY "
	"kind ORDER BY kind")
STMT(STAT_SEGMENTS, "SELECT count(*), coalesce(sum(docs), 0), coalesce(sum(words), 0) FROM "
	"fts_segment WHERE user = :user")
STMT(STAT_METRICS, "SELECT count(*) FROM metric WHERE user = :user")
STMT(STAT_GROWN_MESSAGES, "SELECT count(*), " HOW_MANY("role IN (0, 1)") ", count(DISTINCT "
	"session) FROM message WHERE id BETWEEN :lo AND :hi AND stored >= :since")
STMT(STAT_GROWN_RECORDS, "SELECT " OF_TYPES " FROM record WHERE id BETWEEN :lo AND :hi AND stored "
	">= :since")
STMT(STAT_RECORDS, "SELECT " OF_TYPES ", (SELECT count(*) FROM step WHERE id BETWEEN :lo AND :hi) "
	"FROM record INDEXED BY record_size WHERE id >> 44 = :user")
STMT(STAT_FACTS, "SELECT bank, category, count(*), " HOW_MANY("valid_to <= :now") ", "
	HOW_MANY("retracted IS NOT NULL") ", " HOW_MANY("summarized IS NOT NULL")
	", sum(protected) FROM fact JOIN record USING (id) WHERE id BETWEEN :lo AND :hi GROUP BY "
	"bank, category ORDER BY bank, category")

/* ---- calls of models ---- */
STMT(GUARD_GET, "SELECT failed, opened, probe, lease, opens FROM guard WHERE service = :service")
STMT(GUARD_PUT, "INSERT OR REPLACE INTO guard (service, failed, opened, probe, lease, opens) "
	"VALUES (:service, :failed, :opened, :probe, :lease, :opens)")
STMT(GUARD_COUNTS, "SELECT " HOW_MANY("opened > :after AND opened <= :now") ", "
	"coalesce(sum(opens), 0) FROM guard")
STMT(CLEAR_GUARD, "DELETE FROM guard")
STMT(LEDGER_ADD, "INSERT INTO ledger (user, day, program, model, calls, failed, stopped, "
	"tokens_in, tokens_out, micros) VALUES (:user, :day, :program, :model, :calls, :failed, "
	":stopped, :in, :out, :micros) ON CONFLICT (user, day, program, model) DO UPDATE SET "
	"calls = ledger.calls + excluded.calls, failed = ledger.failed + excluded.failed, stopped "
	"= ledger.stopped + excluded.stopped, tokens_in = ledger.tokens_in + excluded.tokens_in, "
	"tokens_out = ledger.tokens_out + excluded.tokens_out, micros = ledger.micros + "
	"excluded.micros")
/* all users: they share one purse */
STMT(LEDGER_SPENT, "SELECT coalesce(sum(tokens_in + tokens_out), 0), coalesce(sum(micros), 0) "
	"FROM ledger WHERE day = :day")
STMT(LEDGER, "SELECT day, program, model, calls, failed, stopped, tokens_in, tokens_out, micros "
	"FROM ledger WHERE user = :user AND day >= :since ORDER BY day, program, model")

/* ---- jobs ---- */
STMT(JOB_LAST, "SELECT time FROM job WHERE user = :user AND name = :name")
STMT(JOB_RAN, "INSERT INTO job (user, name, time) VALUES (:user, :name, :now) ON CONFLICT (user, "
	"name) DO UPDATE SET time = excluded.time")

#endif
