-- names.sql: statements on settings, users and names.

-- ---- settings ----
of setting
META_GET: SELECT value FROM meta WHERE name = :name
META_PUT: INSERT INTO meta (name, value) VALUES (:name, :value) ON CONFLICT (name) DO UPDATE SET
	value = excluded.value

-- ---- names ----
of name
USER_GET: SELECT no FROM user WHERE name = :user
USER_PUT: INSERT INTO user (no, name) SELECT coalesce(max(no), 0) + 1, :user FROM user RETURNING no
-- all users: for rebuilding what is derived
-- a damaged row's number may be any: it has nothing
USERS: SELECT no FROM user WHERE no BETWEEN 1 AND 524287 ORDER BY no
LABEL_GET: SELECT no FROM label WHERE user = :user AND kind = :kind AND text = :text
LABEL_TEXT: SELECT text FROM label WHERE user = :user AND kind = :kind AND no = :no
LABEL_NEXT: SELECT coalesce(max(no), 0) + 1 FROM label WHERE user = :user AND kind = :kind
LABEL_PUT: INSERT INTO label (user, kind, no, text, word) VALUES (:user, :kind, :no, :text, :word)
LABELS_BY_WORD: SELECT no, text FROM label INDEXED BY label_word WHERE user = :user AND kind = :kind
	AND word = :word ORDER BY no LIMIT :limit
LABELS: SELECT no, text FROM label WHERE user = :user AND kind = :kind ORDER BY no LIMIT :limit
LABEL_RENAME: UPDATE label SET text = :text, word = :word WHERE user = :user AND kind = :kind AND no
	= :no
LABEL_DROP: DELETE FROM label WHERE user = :user AND kind = :kind AND text = :text

-- ---- projects that are moved ----
of project
LABELS_FOLLOW: UPDATE label SET no = no - ?2 + ?3 WHERE user = ?1 AND kind = 4 AND (no & 65535) = ?2
PROJECT_HOLDS: SELECT (SELECT count(*) FROM session WHERE user = ?1 AND project = ?2 AND part = 0),
	(SELECT count(*) FROM record WHERE id BETWEEN ?3 AND ?4 AND project = ?2)
PROJECT_MESSAGES: {MOVED message}
PROJECT_RECORDS: {MOVED record}
PROJECT_RECORDS_WAS: {MOVED record_was}
PROJECT_SESSIONS: UPDATE session SET project = ?2 WHERE user = ?3 AND project = ?1
-- those of two projects that are one now
PROJECT_SESSIONS_ONE: UPDATE session AS s SET project = (SELECT CASE WHEN min(coalesce(project, 0))
	= max(coalesce(project, 0)) THEN max(project) END {OF_SESSION}) WHERE user = :user AND
	project IS NULL
