-- vectors.sql: statements on vectors, and what has none yet.

-- ---- vectors ----
of vectors
VSET_BY_SHA256: {VSET} WHERE sha256 = ?1
VSET_BY_NO: {VSET} WHERE no = ?1
VSET_CURRENT: {VSET} WHERE current = 1 ORDER BY no LIMIT 1
-- the second is asked of the row: a damaged tree's may be another
VSET_NEXT: {VSET} WHERE no > ?1 AND +no > ?1 ORDER BY no LIMIT 1
VSET_PUT: INSERT INTO vector_set (name, sha256, dims, unrelated, centre, current) VALUES (:name,
	:sha256, :dims, :unrelated, :centre, CASE WHEN EXISTS (SELECT 1 FROM vector_set WHERE
	current = 1) THEN 0 ELSE 1 END) RETURNING no
VSET_SWITCH: UPDATE vector_set SET current = CASE WHEN no = :no THEN 1 ELSE 0 END
VSET_DELETE: DELETE FROM vector_set WHERE no = :no
VUSER_GET: SELECT slots, dead FROM vector_user WHERE vset = :set AND user = :user
VUSER_PUT: INSERT OR REPLACE INTO vector_user (vset, user, slots, dead) VALUES (:set, :user, :slots,
	:dead)
VUSER_DELETE: DELETE FROM vector_user WHERE vset = :set AND user = :user
VCODE_GET: SELECT slots FROM vector_code WHERE id = ?1 /* id is in the user's range */
VCODE_PUT: INSERT OR REPLACE INTO vector_code (id, slots) VALUES (?1, ?2) /* id is in the user's
	range */
VCODES: SELECT id, slots FROM vector_code WHERE id BETWEEN :lo AND :hi ORDER BY id
VCODES_DELETE: DELETE FROM vector_code WHERE id BETWEEN :lo AND :hi
VBYTE_GET: SELECT slots FROM vector_byte WHERE id = ?1 /* id is in the user's range */
VBYTE_PUT: INSERT OR REPLACE INTO vector_byte (id, slots) VALUES (?1, ?2) /* id is in the user's
	range */
VBYTES: SELECT id, slots FROM vector_byte WHERE id BETWEEN :lo AND :hi ORDER BY id
VBYTE_FROM: SELECT id, slots FROM vector_byte WHERE id BETWEEN :lo AND :hi ORDER BY id LIMIT 1
VBYTES_DELETE: DELETE FROM vector_byte WHERE id BETWEEN :lo AND :hi
VCELLS_GET: SELECT made, cells, trained, slots FROM vector_cells WHERE vset = :set AND user = :user
VCELLS_PUT: INSERT OR REPLACE INTO vector_cells (vset, user, made, cells, trained, slots) VALUES
	(:set, :user, :made, :cells, :trained, :slots)
VCELLS_DELETE: DELETE FROM vector_cells WHERE vset = :set AND user = :user
VCENTROIDS: SELECT id, slots FROM vector_centroid WHERE id BETWEEN :lo AND :hi ORDER BY id
VCENTROID_PUT: INSERT OR REPLACE INTO vector_centroid (id, slots) VALUES (?1, ?2) /* id is in the
	user's range */
VCENTROIDS_DELETE: DELETE FROM vector_centroid WHERE id BETWEEN :lo AND :hi
VCELL: SELECT slots FROM vector_cell WHERE id BETWEEN :lo AND :hi ORDER BY id
VCELL_FROM: SELECT id, slots FROM vector_cell WHERE id BETWEEN :lo AND :hi ORDER BY id LIMIT 1
VCELL_LAST: SELECT id, slots FROM vector_cell WHERE id BETWEEN :lo AND :hi ORDER BY id DESC LIMIT 1
VCELL_PUT: INSERT OR REPLACE INTO vector_cell (id, slots) VALUES (?1, ?2) /* id is in the user's
	range */
VCELL_DELETE: DELETE FROM vector_cell WHERE id BETWEEN :lo AND :hi
VPLACE_GET: SELECT slots FROM vector_place WHERE vset = :set AND box = :box /* the user's */
VPLACE_PUT: INSERT OR REPLACE INTO vector_place (vset, box, slots) VALUES (:set, :box, :slots) /*
	the user's */
VPLACES_DELETE: DELETE FROM vector_place WHERE vset = :set AND box BETWEEN :lo AND :hi

-- ---- what has no vector yet; the first parameter of all is the set ----
VDONE_GET: SELECT done FROM vector_done WHERE vset = :set AND kind = :kind AND box = :box /* the
	user's */
VDONE_PUT: INSERT OR REPLACE INTO vector_done (vset, kind, box, done) VALUES (:set, :kind, :box,
	:done) /* the user's */
VDONES_DELETE: DELETE FROM vector_done WHERE vset = :set AND box BETWEEN :lo AND :hi
VTODO_HAS: SELECT 1 FROM vector_todo WHERE vset = :set AND kind = :kind AND row = :row /* the user's
	*/
VTODO_FAIL: INSERT INTO vector_todo AS t (vset, kind, row, tries, due) VALUES (:set, :kind, :row, 1,
	:now + :backoff) ON CONFLICT (vset, kind, row) DO UPDATE SET tries = t.tries + 1, due = :now
	+ min(:backoff << CAST(min(t.tries, 20) AS int), 86400000000) /* row is in the user's range
	*/
VTODO_DELETE: DELETE FROM vector_todo WHERE vset = :set AND kind = :kind AND row = :row /* the
	user's */
VTODOS_DELETE: DELETE FROM vector_todo WHERE vset = :set AND row BETWEEN :lo AND :hi
VMESSAGE_BOXES: SELECT s.id, coalesce(d.done, 0) FROM session s LEFT JOIN vector_done d ON d.vset =
	:set AND d.kind = 0 AND d.box = s.id WHERE s.id BETWEEN :lo AND :hi AND s.turns >
	coalesce(d.done, 0) ORDER BY s.id LIMIT :limit
VMESSAGE_RECORDS: {VMESSAGE_COLUMNS} FROM message m WHERE m.id BETWEEN ?2 AND ?3 AND {VMESSAGE} AND
	NOT EXISTS (SELECT 1 FROM vector_todo WHERE vset = ?1 AND kind = 0 AND row = m.id) ORDER BY
	m.id LIMIT ?4
VMESSAGE_DUE: {VMESSAGE_COLUMNS} FROM vector_todo t CROSS JOIN message m ON m.id = t.row WHERE
	t.vset = :set AND t.kind = 0 AND t.row BETWEEN :lo AND :hi AND {VMESSAGE} AND t.due <= :now
	ORDER BY t.row LIMIT :limit
VMESSAGE_ALL: SELECT m.id, {VMESSAGE_PARTS} FROM message m WHERE m.id BETWEEN :lo AND :hi AND
	{VMESSAGE} ORDER BY m.id
VMESSAGE_SKIP: INSERT INTO vector_todo (vset, kind, row) SELECT :set, 0, m.id FROM message m WHERE
	m.id BETWEEN :lo AND :hi AND {VMESSAGE} ON CONFLICT DO NOTHING
VMESSAGE_COUNT: SELECT coalesce(sum({VMESSAGE_PARTS}), 0) FROM session s LEFT JOIN vector_done d ON
	d.vset = :set AND d.kind = 0 AND d.box = s.id CROSS JOIN message m ON m.id BETWEEN (s.id <<
	20) + coalesce(d.done, 0) AND (s.id << 20) + 1048575 WHERE s.id BETWEEN :lo AND :hi AND
	s.turns > coalesce(d.done, 0) AND {VMESSAGE} AND NOT EXISTS (SELECT 1 FROM vector_todo WHERE
	vset = :set AND kind = 0 AND row = m.id)
VMESSAGE_COUNT_TODO: SELECT coalesce(sum({VMESSAGE_PARTS}), 0) FROM vector_todo t CROSS JOIN message
	m ON m.id = t.row WHERE t.vset = :set AND t.kind = 0 AND t.row BETWEEN :lo AND :hi AND
	t.tries < :tries AND {VMESSAGE}
-- all users: derived
VSTRAY_CODES: DELETE FROM vector_code AS p WHERE {VSTRAY}
-- all users: derived
VSTRAY_BYTES: DELETE FROM vector_byte AS p WHERE {VSTRAY}
-- all users: derived
VSTRAY_USERS: DELETE FROM vector_user WHERE vset NOT IN (SELECT no FROM vector_set) OR user NOT IN
	(SELECT no FROM user)
-- all users: derived
VSTRAY_DONES: DELETE FROM vector_done WHERE vset NOT IN (SELECT no FROM vector_set) OR box >> 24 NOT
	IN (SELECT no FROM user)
-- all users: derived
VSTRAY_TODOS: DELETE FROM vector_todo WHERE vset NOT IN (SELECT no FROM vector_set) OR row >> 44 NOT
	IN (SELECT no FROM user)
-- all users: derived
VSTRAY_SORTED: DELETE FROM vector_cells WHERE NOT EXISTS (SELECT 1 FROM vector_user u WHERE u.user =
	vector_cells.user AND u.vset = vector_cells.vset)
-- all users: derived
VSTRAY_CENTROIDS: DELETE FROM vector_centroid AS p WHERE {VUNSORTED}
-- all users: derived
VSTRAY_CELLS: DELETE FROM vector_cell AS p WHERE {VUNSORTED}
-- all users: derived
VSTRAY_PLACES: DELETE FROM vector_place AS p WHERE NOT EXISTS (SELECT 1 FROM vector_cells c WHERE
	c.user = p.box >> 35 AND c.vset = p.vset)
-- all users: a check
CHECK_VSTRAYS: SELECT (SELECT count(*) FROM vector_code p WHERE {VSTRAY} ) + (SELECT count(*) FROM
	vector_byte p WHERE {VSTRAY} ) + (SELECT count(*) FROM vector_cell p WHERE {VUNSORTED} ) +
	(SELECT count(*) FROM vector_centroid p WHERE {VUNSORTED} ) + (SELECT count(*) FROM
	vector_user WHERE vset NOT IN (SELECT no FROM vector_set) OR user NOT IN (SELECT no FROM
	user))
-- all users: names only, for programs that keep the whole store
USERS_NAMES: SELECT name FROM user ORDER BY no
-- The records of a type that want a vector: those that have words; the last parameter is the
-- type. A box is 2^20 rows of records of all types.
VRECORD_BOXES: SELECT b.box, coalesce(d.done, 0) FROM (SELECT DISTINCT id >> 20 AS box FROM record
	INDEXED BY record_size WHERE id >> 44 BETWEEN ?2 >> 24 AND ?3 >> 24 AND type = ?6 AND id
	BETWEEN ?2 << 20 AND (?3 << 20) + 1048575) b LEFT JOIN vector_done d ON d.vset = ?1 AND
	d.kind = ?6 AND d.box = b.box WHERE EXISTS (SELECT 1 FROM record WHERE +type = ?6 AND id
	BETWEEN (b.box << 20) + coalesce(d.done, 0) AND (b.box << 20) + 1048575) ORDER BY b.box
	LIMIT ?4
VRECORD_RECORDS: SELECT r.id, 1, NULL, r.content FROM record r WHERE r.id BETWEEN ?2 AND ?3 AND
	r.type = ?6 AND NOT EXISTS (SELECT 1 FROM vector_todo WHERE vset = ?1 AND kind = ?6 AND row
	= r.id) ORDER BY r.id LIMIT ?4
VRECORD_DUE: SELECT r.id, 1, NULL, r.content FROM vector_todo t CROSS JOIN record r ON r.id = t.row
	WHERE t.vset = ?1 AND t.kind = ?6 AND t.row BETWEEN ?2 AND ?3 AND r.type = ?6 AND t.due <=
	?4 ORDER BY t.row LIMIT ?5
VRECORD_ALL: SELECT id, 1 FROM record WHERE id BETWEEN ?1 AND ?2 AND type = ?3 ORDER BY id
VRECORD_SKIP: INSERT INTO vector_todo (vset, kind, row) SELECT ?1, ?4, id FROM record WHERE id
	BETWEEN ?2 AND ?3 AND type = ?4 ON CONFLICT DO NOTHING
VRECORD_COUNT: SELECT count(*) FROM record r INDEXED BY record_size LEFT JOIN vector_done d ON
	d.vset = ?1 AND d.kind = ?4 AND d.box = r.id >> 20 WHERE r.id >> 44 BETWEEN ?2 >> 24 AND ?3
	>> 24 AND r.id BETWEEN ?2 << 20 AND (?3 << 20) + 1048575 AND r.type = ?4 AND (r.id &
	1048575) >= coalesce(d.done, 0) AND NOT EXISTS (SELECT 1 FROM vector_todo WHERE vset = ?1
	AND kind = ?4 AND row = r.id)
VRECORD_COUNT_TODO: SELECT count(*) FROM vector_todo t CROSS JOIN record r ON r.id = t.row WHERE
	t.vset = ?1 AND t.kind = ?5 AND t.row BETWEEN ?2 AND ?3 AND t.tries < ?4 AND r.type = ?5
VPROFILE_BOXES: SELECT b.box, coalesce(d.done, 0) FROM (SELECT DISTINCT p.id >> 20 AS box FROM
	{VPROFILE} AND p.id BETWEEN ?2 << 20 AND (?3 << 20) + 1048575) b LEFT JOIN vector_done d ON
	d.vset = ?1 AND d.kind = 5 AND d.box = b.box WHERE EXISTS (SELECT 1 FROM profile WHERE id
	BETWEEN (b.box << 20) + coalesce(d.done, 0) AND (b.box << 20) + 1048575) ORDER BY b.box
	LIMIT ?4
VPROFILE_RECORDS: SELECT p.id, 1, NULL, p.value FROM {VPROFILE} AND p.id BETWEEN ?2 AND ?3 AND NOT
	EXISTS (SELECT 1 FROM vector_todo WHERE vset = ?1 AND kind = 5 AND row = p.id) ORDER BY p.id
	LIMIT ?4
VPROFILE_DUE: SELECT p.id, 1, NULL, p.value FROM vector_todo t CROSS JOIN {VPROFILE} AND p.id =
	t.row AND t.vset = ?1 AND t.kind = 5 AND t.row BETWEEN ?2 AND ?3 AND t.due <= ?4 ORDER BY
	t.row LIMIT ?5
VPROFILE_ALL: SELECT p.id, 1 FROM {VPROFILE} AND p.id BETWEEN :lo AND :hi ORDER BY p.id
VPROFILE_SKIP: INSERT INTO vector_todo (vset, kind, row) SELECT ?1, 5, p.id FROM {VPROFILE} AND p.id
	BETWEEN ?2 AND ?3 ON CONFLICT DO NOTHING
VPROFILE_COUNT: SELECT count(*) FROM {VPROFILE} AND p.id BETWEEN ?2 << 20 AND (?3 << 20) + 1048575
	AND (p.id & 1048575) >= coalesce((SELECT done FROM vector_done WHERE vset = ?1 AND kind = 5
	AND box = p.id >> 20), 0) AND NOT EXISTS (SELECT 1 FROM vector_todo WHERE vset = ?1 AND kind
	= 5 AND row = p.id)
VPROFILE_COUNT_TODO: SELECT count(*) FROM vector_todo t CROSS JOIN {VPROFILE} AND p.id = t.row AND
	t.vset = ?1 AND t.kind = 5 AND t.row BETWEEN ?2 AND ?3 AND t.tries < ?4
