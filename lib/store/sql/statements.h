/*
 * statements.h: every statement of the store, STMT(its name, its text), by subject. One on a user's
 * data names the user, or a range of rows inside the user's (:lo to :hi). The few that go over all
 * users are marked; they only check, rebuild or count.
 *
 * "+id BETWEEN :lo AND :hi" stands where another condition finds the rows: without the plus, which
 * an index does not fit, PostgreSQL would go through all of the user's rows as long as it has no
 * figures of the table.
 */
#ifdef STMT

#include "store/sql/statements/messages.h"
#include "store/sql/statements/index.h"
#include "store/sql/statements/accounts.h"
#include "store/sql/statements/records.h"
#include "store/sql/statements/vectors.h"
#include "store/sql/statements/sync.h"

/* ---- settings ---- */
STMT(META_GET, "SELECT value FROM meta WHERE name = :name")
STMT(META_PUT, "INSERT INTO meta (name, value) VALUES (:name, :value) ON CONFLICT (name) DO "
	"UPDATE SET value = excluded.value")

/* ---- names ---- */
STMT(USER_GET, "SELECT no FROM user WHERE name = :user")
STMT(USER_PUT, "INSERT INTO user (no, name) SELECT coalesce(max(no), 0) + 1, :user FROM user "
	"RETURNING no")
/* all users: for rebuilding what is derived */
/* a damaged row's number may be any: it has nothing */
STMT(USERS, "SELECT no FROM user WHERE no BETWEEN 1 AND 524287 ORDER BY no")
STMT(LABEL_GET, "SELECT no FROM label WHERE user = :user AND kind = :kind AND text = :text")
STMT(LABEL_TEXT, "SELECT text FROM label WHERE user = :user AND kind = :kind AND no = :no")
STMT(LABEL_NEXT, "SELECT coalesce(max(no), 0) + 1 FROM label WHERE user = :user AND kind = :kind")
STMT(LABEL_PUT, "INSERT INTO label (user, kind, no, text, word) VALUES (:user, :kind, :no, :text, "
	":word)")
STMT(LABELS_BY_WORD, "SELECT no, text FROM label INDEXED BY label_word WHERE user = :user AND "
	"kind = :kind AND word = :word ORDER BY no LIMIT :limit")
STMT(LABELS, "SELECT no, text FROM label WHERE user = :user AND kind = :kind ORDER BY no LIMIT "
	":limit")
STMT(LABEL_RENAME, "UPDATE label SET text = :text, word = :word WHERE user = :user AND kind = "
	":kind AND no = :no")
STMT(LABEL_DROP, "DELETE FROM label WHERE user = :user AND kind = :kind AND text = :text")

/* ---- projects that are moved ---- */
STMT(LABELS_FOLLOW, "UPDATE label SET no = no - ?2 + ?3 WHERE user = ?1 AND kind = 4 AND (no & "
	"65535) = ?2")
STMT(PROJECT_HOLDS, "SELECT (SELECT count(*) FROM session WHERE user = ?1 AND project = ?2 AND "
	"part = 0), (SELECT count(*) FROM record WHERE id BETWEEN ?3 AND ?4 AND project = ?2)")
STMT(PROJECT_MESSAGES, MOVED("message"))
STMT(PROJECT_RECORDS, MOVED("record"))
STMT(PROJECT_RECORDS_WAS, MOVED("record_was"))
STMT(PROJECT_SESSIONS, "UPDATE session SET project = ?2 WHERE user = ?3 AND project = ?1")
/* those of two projects that are one now */
STMT(PROJECT_SESSIONS_ONE, "UPDATE session AS s SET project = (SELECT CASE WHEN "
	"min(coalesce(project, 0)) = max(coalesce(project, 0)) THEN max(project) END " OF_SESSION
	") WHERE user = :user AND project IS NULL")

#endif
