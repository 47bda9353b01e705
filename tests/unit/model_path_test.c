/*
 * model_path_test.c: names become paths: the order of the directories, what is best, what is no
 * model.
 */
#include <sys/stat.h>

#include "base/buf.h"
#include "base/conf.h"
#include "model/model_path.h"

#include "tap.h"
#include "tmpdir.h"

static const char *
find(const char *name)
{
	static char path[MODEL_PATH_BYTES];
	struct err err = ERR_INIT;

	return model_find(name, path, sizeof(path), &err) == 0 ? path
	    : err.code == ERR_NOINPUT			       ? "none"
							       : "?";
}

static int
add_name(void *arg, const char *name, const char *path)
{
	buf_addf(arg, "%s=%s ", name, path);
	return 0;
}

static int
stop_at_second(void *arg, const char *name, const char *path)
{
	(void)name, (void)path;
	return ++*(int *)arg == 2 ? 7 : 0;
}

int
main(void)
{
	struct err err = ERR_INIT;
	char small[8], cwd[200], data[300];
	struct buf b;
	int n = 0;

	tmpdir_make();
	buf_init(&b, 10000);
	if (getcwd(cwd, sizeof(cwd)) == NULL)
		return 1;
	setenv("XDG_DATA_HOME", cwd, 1);
	mkdir("own", 0700), mkdir("mem", 0700), mkdir("mem/models", 0700);
	snprintf(data, sizeof(data), "%s/mem/models/", cwd);

	is_str(find(""), "none", "no model anywhere");
	is_str(find("x"), "none", "none by name");
	is_int(model_each(add_name, &b), 0, "nothing to walk over");
	is_int(b.len, 0, "and nothing seen");

	tmpdir_write("mem/models/zoo.model", "", 0);
	ok(strncmp(find(""), data, strlen(data)) == 0,
	    "a model of the data directory is the best while it is alone");
	tmpdir_write("mem/models/.hidden.model", "", 0), tmpdir_write("mem/models/.model", "", 0),
	    tmpdir_write("mem/models/zoo.model.part", "", 0);
	tmpdir_write("mem/models/all-MiniLM-L6-v2.model", "", 0);
	ok(strstr(find(""), "/all-MiniLM-L6-v2.model") != NULL, "a preferred one goes before");
	is_int(conf_set("models", "own", &err), 0, "a directory of one's own");
	tmpdir_write("own/zoo.model", "", 0), tmpdir_write("own/ant.model", "", 0);
	ok(strstr(find(""), "/all-MiniLM-L6-v2.model") != NULL,
	    "the best is the best, wherever it lies");
	is_str(find("zoo"), "own/zoo.model", "one's own directory first");
	ok(strncmp(find("all-MiniLM-L6-v2"), data, strlen(data)) == 0, "then the data directory");
	is_str(find("zoo.model"), "none", "a name has no suffix");
	is_str(find("own/zoo.model"), "own/zoo.model", "a slash makes a path");
	is_str(find("own/none"), "none", "a path that is not there");
	tmpdir_write("own/multilingual-e5-small.model", "", 0);
	is_str(find(""), "own/multilingual-e5-small.model", "the very best");

	model_each(add_name, &b);
	buf_addf(&b, "%s", "");
	ok(strncmp(b.data,
	       "multilingual-e5-small=own/multilingual-e5-small.model all-MiniLM-L6-v2=", 70) ==
		    0 &&
		strstr(b.data, "all-MiniLM-L6-v2.model ant=own/ant.model zoo=own/zoo.model ") !=
		    NULL &&
		strstr(b.data, "hidden") == NULL,
	    "all of them, best first, each once: %s", b.data);
	is_int(model_each(stop_at_second, &n), 7, "the walk stops when told");
	ok(model_find("zoo", small, sizeof(small), &err) != 0, "no room for the path");
	buf_release(&b);

	static const char *const files[] = { "own/zoo.model", "own/ant.model",
		"own/multilingual-e5-small.model", "mem/models/zoo.model",
		"mem/models/.hidden.model", "mem/models/.model", "mem/models/zoo.model.part",
		"mem/models/all-MiniLM-L6-v2.model", NULL };
	for (size_t i = 0; files[i] != NULL; i++)
		unlink(files[i]);
	rmdir("own"), rmdir("mem/models"), rmdir("mem");
	tmpdir_remove(&files[8]);
	return tap_done();
}
