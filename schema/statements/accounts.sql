-- accounts.sql: statements on what was read, asked, spent and done.

-- ---- inputs ----
of input
INPUT_GET: SELECT device, inode, offset, line, head, positional, state FROM input WHERE user = :user
	AND path = :path
INPUTS_BELOW: SELECT path, device, inode, offset, line, head, positional, state FROM input WHERE
	user = :user AND path >= :lo AND path < :hi ORDER BY path
INPUT_PUT: INSERT OR REPLACE INTO input (user, path, device, inode, offset, line, head, positional,
	state) VALUES (:user, :path, :device, :inode, :offset, :line, :head, :positional, :state)
INPUT_DROP: DELETE FROM input WHERE user = :user AND path = :path
-- paths begin with a slash; other rows are no files
INPUTS_FORGET: DELETE FROM input WHERE user = :user AND path >= '/' AND path < '0' AND (instr(path,
	:name) > 0 OR instr(state, :name) > 0 OR NOT EXISTS (SELECT 1 FROM session WHERE user =
	:user))
-- names of files that are no session's: there are some of files whose messages name another
NAMES_FORGET: DELETE FROM input WHERE user = :user AND path >= 'session:' AND path < 'session;' AND
	NOT EXISTS (SELECT 1 FROM session s WHERE s.user = :user AND (s.name = substr(input.path, 9)
	OR (s.name > substr(input.path, 9) || ':' AND s.name < substr(input.path, 9) || ';')))

-- ---- answers: inputs whose path is no file's, and whose offset is when they came ----
of answer
ANSWER_GET: SELECT state FROM input WHERE user = :user AND path = 'answer:' || :key AND offset >
	:after AND offset <= :now
ANSWER_PUT: INSERT OR REPLACE INTO input (user, path, device, inode, offset, line, head, positional,
	state) VALUES (:user, 'answer:' || :key, 0, 0, :now, 0, x'', 0, :text)
ANSWERS_DROP: DELETE FROM input WHERE user = :user AND path >= 'answer:' AND path < 'answer;' AND
	NOT offset BETWEEN :after AND :now

-- ---- metrics ----
of metric
METRIC_PUT: INSERT INTO metric (user, time, program, path, query_hash, query_bytes, hits,
	candidates, top, us_open, us_text, us_vectors, us_rank, us_fetch, us_all, flags, handed)
	VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
	RETURNING id /* user */
METRICS: SELECT id, time, program, path, query_hash, query_bytes, hits, candidates, top, us_open,
	us_text, us_vectors, us_rank, us_fetch, us_all, flags FROM metric WHERE user = :user AND
	time >= :since AND id > :after ORDER BY id LIMIT :limit
METRICS_DROP: DELETE FROM metric WHERE user = :user AND time < :before
HANDED: SELECT time, program, path, handed FROM metric WHERE user = :user AND handed IS NOT NULL
	ORDER BY id DESC
HANDED_NEXT: SELECT id, handed FROM metric WHERE user = :user AND id > :after AND handed IS NOT NULL
	ORDER BY id LIMIT 1
HANDED_SET: UPDATE metric SET handed = :items WHERE id = :id AND user = :user

-- ---- figures ----
-- in this order: the numbers of enum role, so that nothing has to be sorted
of figures
STAT_MESSAGES: SELECT {HOW_MANY role = 0}, {HOW_MANY role = 1}, {HOW_MANY role = 2}, {HOW_MANY role
	= 3}, {HOW_MANY role = 4}, {HOW_MANY role > 4}, sum(length(CAST(content AS BLOB))),
	sum(tokens), sum(chunks), min(time), max(time) FROM message WHERE id BETWEEN :lo AND :hi
STAT_SESSIONS: SELECT count(*) FROM session WHERE user = :user AND part = 0
STAT_CHUNKS: SELECT kind, count(*) FROM chunk WHERE message BETWEEN :lo AND :hi GROUP BY kind ORDER
	BY kind
STAT_SEGMENTS: SELECT count(*), coalesce(sum(docs), 0), coalesce(sum(words), 0) FROM fts_segment
	WHERE user = :user
STAT_METRICS: SELECT count(*) FROM metric WHERE user = :user
STAT_GROWN_MESSAGES: SELECT count(*), {HOW_MANY role IN (0, 1)}, count(DISTINCT session) FROM
	message WHERE id BETWEEN :lo AND :hi AND stored >= :since
STAT_GROWN_RECORDS: SELECT {OF_TYPES} FROM record WHERE id BETWEEN :lo AND :hi AND stored >= :since
STAT_RECORDS: SELECT {OF_TYPES}, (SELECT count(*) FROM step WHERE id BETWEEN :lo AND :hi) FROM
	record INDEXED BY record_size WHERE id >> 44 = :user
STAT_FACTS: SELECT bank, category, count(*), {HOW_MANY valid_to <= :now}, {HOW_MANY retracted IS NOT
	NULL}, {HOW_MANY summarized IS NOT NULL}, sum(protected) FROM fact JOIN record USING (id)
	WHERE id BETWEEN :lo AND :hi GROUP BY bank, category ORDER BY bank, category

-- ---- calls of models ----
of budget
GUARD_GET: SELECT failed, opened, probe, lease, opens FROM guard WHERE service = :service
GUARD_PUT: INSERT OR REPLACE INTO guard (service, failed, opened, probe, lease, opens) VALUES
	(:service, :failed, :opened, :probe, :lease, :opens)
GUARD_COUNTS: SELECT {HOW_MANY opened > :after AND opened <= :now}, coalesce(sum(opens), 0) FROM
	guard
CLEAR_GUARD: DELETE FROM guard
LEDGER_ADD: INSERT INTO ledger (user, day, program, model, calls, failed, stopped, tokens_in,
	tokens_out, micros) VALUES (:user, :day, :program, :model, :calls, :failed, :stopped, :in,
	:out, :micros) ON CONFLICT (user, day, program, model) DO UPDATE SET calls = ledger.calls +
	excluded.calls, failed = ledger.failed + excluded.failed, stopped = ledger.stopped +
	excluded.stopped, tokens_in = ledger.tokens_in + excluded.tokens_in, tokens_out =
	ledger.tokens_out + excluded.tokens_out, micros = ledger.micros + excluded.micros
-- all users: they share one purse
LEDGER_SPENT: SELECT coalesce(sum(tokens_in + tokens_out), 0), coalesce(sum(micros), 0) FROM ledger
	WHERE day = :day
LEDGER: SELECT day, program, model, calls, failed, stopped, tokens_in, tokens_out, micros FROM
	ledger WHERE user = :user AND day >= :since ORDER BY day, program, model

-- ---- jobs ----
of job
JOB_LAST: SELECT time FROM job WHERE user = :user AND name = :name
JOB_RAN: INSERT INTO job (user, name, time) VALUES (:user, :name, :now) ON CONFLICT (user, name) DO
	UPDATE SET time = excluded.time
