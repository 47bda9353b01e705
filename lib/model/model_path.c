/*
 * model_path.c: searches the directories that may hold models.
 *
 * A model is looked for by access(2), directory by directory; directories are only read when none
 * of the preferred models exists, or when all models are wanted.
 */
#include <dirent.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/conf.h"
#include "base/order.h"
#include "base/system.h"
#include "model/model_path.h"

#define SUFFIX ".model"

/* Best first: the first knows a hundred languages and finds more; the second is small and fast. */
static const char *const preferred[] = { "multilingual-e5-small", "all-MiniLM-L6-v2" };

#define N_DIRECTORIES 4

/*
 * Writes the i-th directory; returns false when there is none, for example because it is not
 * configured.
 */
static bool
directory(unsigned i, char *out, size_t size)
{
	const char *from = "", *below = "";
	char self[MODEL_PATH_BYTES];

	if (i == 0) {
		from = conf_text("models");
	} else if (i == 1) {
		from = conf_data_path("mem/models");
	} else if (system_program_dir(self, sizeof(self))) {
		from = self;
		below = i == 2 ? "/models" : "/../share/mem/models";
	}
	if (*from == '\0')
		return false;
	int n = snprintf(out, size, "%s%s", from, below);
	return n > 0 && (size_t)n < size;
}

/* Looks for a model by name, and writes its path to path. Returns whether it exists. */
static bool
find_named(const char *name, char *path, size_t size)
{
	char dir[MODEL_PATH_BYTES];

	for (unsigned i = 0; i < N_DIRECTORIES; i++) {
		if (!directory(i, dir, sizeof(dir)))
			continue;
		int n = snprintf(path, size, "%s/%s%s", dir, name, SUFFIX);
		if (n > 0 && (size_t)n < size && access(path, R_OK) == 0)
			return true;
	}
	return false;
}

/* ---- all models ---- */

struct found { char *name; unsigned rank; };       /* rank: its place among the preferred */

struct founds { struct found *items; size_t n, cap; };

static unsigned
rank_of(const char *name)
{
	unsigned i = 0;

	while (i < NELEM(preferred) && strcmp(name, preferred[i]) != 0)
		i++;
	return i;
}

ORDER_BY_TEXT(better, struct found, rank, name)

static void
add_directory(struct founds *all, const char *path)
{
	DIR *dir = opendir(path);
	const struct dirent *e;

	if (dir == NULL)
		return;
	while ((e = readdir(dir)) != NULL) {
		size_t len = strlen(e->d_name), i;

		if (e->d_name[0] == '.' || len <= strlen(SUFFIX) ||
		    strcmp(e->d_name + len - strlen(SUFFIX), SUFFIX) != 0)
			continue;
		len -= strlen(SUFFIX);
		for (i = 0; i < all->n; i++)
			if (strlen(all->items[i].name) == len &&
			    memcmp(all->items[i].name, e->d_name, len) == 0)
				break;
		if (i < all->n)
			continue;
		xgrow(&all->items, &all->cap, all->n + 1, sizeof(*all->items));
		all->items[all->n].name = xstrndup(e->d_name, len);
		all->items[all->n].rank = rank_of(all->items[all->n].name);
		all->n++;
	}
	closedir(dir);
}

int
model_each(model_path_fn *fn, void *arg)
{
	struct founds all = { NULL, 0, 0 };
	char path[MODEL_PATH_BYTES];
	int rc = 0;

	for (unsigned i = 0; i < N_DIRECTORIES; i++)
		if (directory(i, path, sizeof(path)))
			add_directory(&all, path);
	if (all.n > 0)
		qsort(all.items, all.n, sizeof(*all.items), better);
	for (size_t i = 0; i < all.n && rc == 0; i++)
		if (find_named(all.items[i].name, path, sizeof(path)))
			rc = fn(arg, all.items[i].name, path);
	for (size_t i = 0; i < all.n; i++)
		free(all.items[i].name);
	free(all.items);
	return rc;
}

/* ---- one model ---- */

struct first { char *path; size_t size; };

static int
take_first(void *arg, const char *name, const char *path)
{
	struct first *want = arg;
	int n = snprintf(want->path, want->size, "%s", path);

	(void)name;
	return n > 0 && (size_t)n < want->size;
}

int
model_find(const char *name, char *path, size_t size, struct err *err)
{
	struct first want = { path, size };

	if (strchr(name, '/') != NULL) {
		int n = snprintf(path, size, "%s", name);

		if ((size_t)n >= size)
			return err_set(err, ERR_NOINPUT,
			    "the path of a model is too long: '%.100s...'", name);
		return access(path, R_OK) == 0
		    ? 0
		    : err_set_errno(err, ERR_NOINPUT, "cannot open the model '%s'", name);
	}
	if (*name != '\0')
		return find_named(name, path, size)
		    ? 0
		    : err_set(err, ERR_NOINPUT,
			  "there is no model '%.200s' ('mem-model list' shows those there are)",
			  name);
	for (size_t i = 0; i < NELEM(preferred); i++)
		if (find_named(preferred[i], path, size))
			return 0;
	return model_each(take_first, &want) == 1
	    ? 0
	    : err_set(err, ERR_NOINPUT,
		  "there is no model ('mem-model get' fetches one)");
}
