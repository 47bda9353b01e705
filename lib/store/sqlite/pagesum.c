/*
 * pagesum.c: what SQLite reads from and writes to a database file passes through here, on its way
 * to the system.
 *
 * SQLite leaves bytes at the end of each page alone when the file's header says so (byte 20). In a
 * store they are 8, and hold a hash of the page and of its number, so that a page in the wrong
 * place differs, too:
 *
 *	page n   | 4,088 bytes of SQLite's | hash64_long(those bytes, n), little endian; 0: none |
 *
 * The sum is made as a page is written to the file, and taken away as it is read: in memory and in
 * the log these bytes are 0. So a log that another program moves into the file (the sqlite3 shell,
 * as it closes last) leaves pages without a sum, and none with the sum of what it was before. Pages
 * in the log have a sum of SQLite's own. Reading follows SQLite's locks, so no page is seen half
 * written.
 */
#include "store/sqlite/pagesum.h"

#include "base/bytes.h"
#include "base/hash.h"
#include "store/sqlite/sqlite.h"

/* in the header: how many bytes at the end of each page SQLite leaves alone */
#define RESERVED_AT  20
#define PAGE_LEAST   512
/* the first byte of a page of an index, of one at its end, and of one at a table's end */
#define PAGE_KEYS    2
#define LEAF_KEYS    10
#define LEAF_ROWS    13
#define WRONG        UINT64_MAX                /* a sum that no page has */

struct file {
	sqlite3_file base;
	bool has_sums;
	bool compare, copied;
	int64_t differing;
	sqlite3_file *real;                    /* behind this struct */
};

/* Over SQLite's usual ways to the system, and over those without locks. */
static struct layer { sqlite3_vfs vfs, *real; } layers[2];

static struct file *
own(sqlite3_file *f)
{
	return (struct file *)f;
}

static sqlite3_file *
real(sqlite3_file *f)
{
	return own(f)->real;
}

/* The sum of a page: never 0, which means none, and never the value that no page has. */
static uint64_t
sum_of(const uint8_t *page, int size, sqlite3_int64 at)
{
	uint64_t sum = hash64_long(page, (size_t)(size - PAGESUM_BYTES), (uint64_t)(at / size) + 1);

	return sum != 0 && sum != WRONG ? sum : 1;
}

/*
 * Whether what is read or written is a whole page; SQLite reads the header and its counters in
 * pieces.
 */
static bool
is_page(int size, sqlite3_int64 at)
{
	return size >= PAGE_LEAST && (size & (size - 1)) == 0 && at % size == 0;
}

static void
note_header(struct file *f, const uint8_t *header)
{
	if (memcmp(header, "SQLite format 3", 16) == 0)
		f->has_sums = header[RESERVED_AT] == PAGESUM_BYTES;
}

/*
 * Notes whether the file has room for sums, if it says so already: who fills an empty one may write
 * any other page before its first.
 */
static int
look_at_header(struct file *f)
{
	uint8_t header[HEADER_BYTES];
	sqlite3_int64 size;
	int rc = f->real->pMethods->xFileSize(f->real, &size);

	if (rc != SQLITE_OK || size < HEADER_BYTES)
		return rc;
	if ((rc = f->real->pMethods->xRead(f->real, header, sizeof(header), 0)) == SQLITE_OK)
		note_header(f, header);
	return rc;
}

/* Looks at a file for the first time. An empty one is about to be made by us, and gets room. */
static int
note_file(struct file *f)
{
	sqlite3_int64 size;
	int rc = f->real->pMethods->xFileSize(f->real, &size);

	f->has_sums = rc == SQLITE_OK && size == 0;
	return rc == SQLITE_OK ? look_at_header(f) : rc;
}

/* ---- bytes that are nobody's ---- */

static int
load2(const uint8_t *p)
{
	return p[0] << 8 | p[1];
}

/*
 * Between the pointers to a page's cells and its first cell SQLite leaves what stood there when it
 * moves rows from page to page, secure_delete or not: copies of rows that go later, elsewhere. They
 * are overwritten here. A page is taken for one of rows or keys when all that its head says fits;
 * what else begins with these bytes is a page that names a page past the 33 millionth, and fails
 * that test.
 */
static void
clear_gap(uint8_t *page, int size, sqlite3_int64 at)
{
	int kind = page[0], head = kind == PAGE_KEYS ? 12 : 8, n = load2(page + 3);
	int first = load2(page + 5), end = size - PAGESUM_BYTES, from = head + 2 * n;

	if (at == 0 || (kind != PAGE_KEYS && kind != LEAF_KEYS && kind != LEAF_ROWS))
		return;
	first = first == 0 ? 65536 : first;
	if (first < from || first > end || (load2(page + 1) != 0 && load2(page + 1) < first) ||
	    (n == 0 && (kind == PAGE_KEYS || first != end)))
		return;
	for (int i = head; i < from; i += 2)
		if (load2(page + i) < first || load2(page + i) >= end)
			return;
	memset(page + from, 0, (size_t)(first - from));
}

/* ---- the file ---- */

static int
read_file(sqlite3_file *file, void *to, int size, sqlite3_int64 at)
{
	struct file *f = own(file);
	uint8_t *sum = (uint8_t *)to + size - PAGESUM_BYTES;
	int rc = f->real->pMethods->xRead(f->real, to, size, at);

	if (rc != SQLITE_OK)
		return rc;
	if (at == 0 && size >= HEADER_BYTES)
		note_header(f, to);
	if (!f->has_sums || !is_page(size, at))
		return SQLITE_OK;
	if ((f->compare || f->copied) && get_le64(sum) != 0 &&
	    get_le64(sum) != sum_of(to, size, at)) {
		if (f->copied) {
			put_le(sum, WRONG, PAGESUM_BYTES);
			return SQLITE_OK;
		}
		if (f->differing == 0)
			f->differing = at / size + 1;
		return SQLITE_CORRUPT;
	}
	put_le(sum, 0, PAGESUM_BYTES);
	return SQLITE_OK;
}

/*
 * The bytes of the sum and of the gap are nobody's: they are written where SQLite's page lies, as
 * its own extension of this kind (cksumvfs) does, and not in a copy of it.
 */
static int
write_file(sqlite3_file *file, const void *from, int size, sqlite3_int64 at)
{
	struct file *f = own(file);
	uint8_t *sum = (uint8_t *)(uintptr_t)from + size - PAGESUM_BYTES;

	if (at == 0 && size >= HEADER_BYTES)
		note_header(f, from);
	else if (!f->has_sums)                 /* another process may have given it room since */
		look_at_header(f);
	if (!f->has_sums || !is_page(size, at))
		return f->real->pMethods->xWrite(f->real, from, size, at);
	if (get_le64(sum) == WRONG)                /* a damaged page is copied as damaged */
		return f->real->pMethods->xWrite(f->real, from, size, at);
	clear_gap((uint8_t *)(uintptr_t)from, size, at);
	put_le(sum, sum_of(from, size, at), PAGESUM_BYTES);
	int rc = f->real->pMethods->xWrite(f->real, from, size, at);
	put_le(sum, 0, PAGESUM_BYTES);
	return rc;
}

/* What passes by here as it is. */
#define PASS(name, method, parameters, arguments) \
	static int \
	name parameters \
	{ \
		return real(f)->pMethods->method arguments; \
	}
PASS(close_file, xClose, (sqlite3_file *f), (real(f)))
PASS(truncate_file, xTruncate, (sqlite3_file *f, sqlite3_int64 size), (real(f), size))
PASS(sync_file, xSync, (sqlite3_file *f, int flags), (real(f), flags))
PASS(size_file, xFileSize, (sqlite3_file *f, sqlite3_int64 *size), (real(f), size))
PASS(lock_file, xLock, (sqlite3_file *f, int level), (real(f), level))
PASS(unlock_file, xUnlock, (sqlite3_file *f, int level), (real(f), level))
PASS(is_reserved, xCheckReservedLock, (sqlite3_file *f, int *yes), (real(f), yes))
PASS(control_file, xFileControl, (sqlite3_file *f, int op, void *arg), (real(f), op, arg))
PASS(sector_of, xSectorSize, (sqlite3_file *f), (real(f)))
PASS(device_of, xDeviceCharacteristics, (sqlite3_file *f), (real(f)))
PASS(shm_map, xShmMap, (sqlite3_file *f, int at, int size, int extend, void volatile **to),
	(real(f), at, size, extend, to))
PASS(shm_lock, xShmLock, (sqlite3_file *f, int from, int n, int flags), (real(f), from, n, flags))
PASS(shm_unmap, xShmUnmap, (sqlite3_file *f, int remove), (real(f), remove))

static void
shm_barrier(sqlite3_file *f)
{
	real(f)->pMethods->xShmBarrier(real(f));
}

/*
 * Version 2: with shared memory for the log, and no mapping of pages into memory, which would pass
 * by here.
 */
static sqlite3_io_methods methods = {
	2, close_file, read_file, write_file, truncate_file, sync_file, size_file, lock_file,
	unlock_file, is_reserved, control_file, sector_of, device_of, shm_map, shm_lock,
	shm_barrier, shm_unmap, NULL, NULL,
};
/* Version 1, as for a file that nobody else has open: without shared memory, too. */
static sqlite3_io_methods methods_alone = {
	1, close_file, read_file, write_file, truncate_file, sync_file, size_file, lock_file,
	unlock_file, is_reserved, control_file, sector_of, device_of, NULL, NULL,
	NULL, NULL, NULL, NULL,
};

/* Opens a file; logs, journals and temporary files bypass the sums. */
static int
open_file(sqlite3_vfs *v, const char *name, sqlite3_file *file, int flags, int *out)
{
	sqlite3_vfs *real_vfs = ((struct layer *)v)->real;
	struct file *f = own(file);

	if (!(flags & SQLITE_OPEN_MAIN_DB))
		return real_vfs->xOpen(real_vfs, name, file, flags, out);
	memset(f, 0, sizeof(*f));
	f->real = (sqlite3_file *)(f + 1);
	int rc = real_vfs->xOpen(real_vfs, name, f->real, flags, out);
	if (f->real->pMethods != NULL)
		f->base.pMethods = f->real->pMethods->xShmMap != NULL ? &methods : &methods_alone;
	return rc == SQLITE_OK ? note_file(f) : rc;
}

static void
put_over(struct layer *l, sqlite3_vfs *under, const char *name)
{
	if (under == NULL)
		return;
	l->real = under;
	l->vfs = *under;
	l->vfs.zName = name;
	l->vfs.szOsFile += (int)sizeof(struct file);
	l->vfs.xOpen = open_file;
	sqlite3_vfs_register(&l->vfs, 0);
}

void
pagesum_set_up(void)
{
	if (sqlite3_initialize() != SQLITE_OK)
		return;
	put_over(&layers[0], sqlite3_vfs_find(NULL), PAGESUM);
	put_over(&layers[1], sqlite3_vfs_find("unix-none"), PAGESUM_ALONE);
}

/* ---- a connection's ---- */

static struct file *
file_of(sqlite3 *db)
{
	sqlite3_file *f = NULL;

	if (sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &f) != SQLITE_OK ||
	    f == NULL || f->pMethods == NULL || f->pMethods->xRead != read_file)
		return NULL;
	return own(f);
}

void
pagesum_want(sqlite3 *db)
{
	int bytes = PAGESUM_BYTES;

	sqlite3_file_control(db, "main", SQLITE_FCNTL_RESERVE_BYTES, &bytes);
}

bool
pagesum_has(sqlite3 *db)
{
	struct file *f = file_of(db);

	return f != NULL && f->has_sums;
}

void
pagesum_compare(sqlite3 *db, bool on)
{
	struct file *f = file_of(db);

	if (f == NULL)
		return;
	f->compare = on;
	f->differing = 0;
	sqlite3_db_release_memory(db);         /* pages that were read before are read again */
}

void
pagesum_copy_begin(sqlite3 *from, sqlite3 *to)
{
	struct file *f = file_of(from), *t = file_of(to);

	if (f == NULL || t == NULL)
		return;
	/*
	 * an empty file does not know yet that it gets room for sums; a large one is not written
	 * from its first page on
	 */
	t->has_sums = f->has_sums;
	f->copied = true;
	sqlite3_db_release_memory(from); /* so that pages which are in memory are read again */
}

void
pagesum_copy_end(sqlite3 *from, sqlite3 *to)
{
	struct file *f = file_of(from);

	if (f == NULL)
		return;
	f->copied = false;
	sqlite3_db_release_memory(from);       /* so that no wrong sum stays in memory */
	sqlite3_db_release_memory(to);
}

int64_t
pagesum_differing(sqlite3 *db)
{
	struct file *f = file_of(db);
	int64_t page = f != NULL ? f->differing : 0;

	if (f != NULL)
		f->differing = 0;
	return page;
}

int64_t
pagesum_missing(sqlite3 *db)
{
	struct file *f = file_of(db);
	uint8_t header[HEADER_BYTES], sum[PAGESUM_BYTES];
	sqlite3_int64 size, page;
	int64_t n = 0;

	if (f == NULL || !f->has_sums ||
	    f->real->pMethods->xFileSize(f->real, &size) != SQLITE_OK || size < HEADER_BYTES ||
	    f->real->pMethods->xRead(f->real, header, sizeof(header), 0) != SQLITE_OK)
		return 0;
	page = header[16] << 8 | header[17];
	if (page < PAGE_LEAST)                 /* 1 stands for 65,536 */
		page = 65536;
	for (sqlite3_int64 end = page; end <= size; end += page)
		n += f->real->pMethods->xRead(f->real, sum, sizeof(sum), end - PAGESUM_BYTES) ==
			SQLITE_OK &&
		    get_le64(sum) == 0;
	return n;
}
