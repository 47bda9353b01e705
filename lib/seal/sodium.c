/*
 * sodium.c: loads libsodium, as what is built from this source must run, and be tested, without
 * it. Its versions differ in their names alone: it has had all of these functions since 1.0.14.
 */
#include "seal/sodium.h"

#include <dlfcn.h>

#include "base/system.h"

static struct sodium sodium;

const struct sodium *
sodium_load(struct err *err)
{
	static const char *const names[] = { SYSTEM_LIBRARY("libsodium", "26"),
		SYSTEM_LIBRARY("libsodium", "23") };
	static bool loaded;
	void *lib = NULL;

	if (loaded)
		return &sodium;
	for (size_t i = 0; i < NELEM(names) && lib == NULL; i++)
		lib = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
	if (lib == NULL)
		return err_set(err, ERR_CONFIG, "sealing needs libsodium (Debian: apt-get install "
		    "libsodium23): %s", dlerror()), NULL;
	/* a pointer to a function is got through one to an object, as POSIX has it */
#define LOAD(result, name, arguments) \
	*(void **)&sodium.name = dlsym(lib, #name); \
	if (sodium.name == NULL) \
		return err_set(err, ERR_CONFIG, "libsodium is too old: it has no " #name), NULL;
	SODIUM_FUNCTIONS(LOAD)
#undef LOAD
	if (sodium.sodium_init() < 0 ||
	    sodium.crypto_secretstream_xchacha20poly1305_statebytes() > sizeof(struct sodium_state))
		return err_set(err, ERR_CONFIG, "libsodium cannot be used"), NULL;
	loaded = true;
	return &sodium;
}
