/*
 * banned.h: calls that have a safer sibling become compile errors (the idea is git's banned.h).
 */
#pragma once

/*
 * The headers that declare these functions come first: with the macros in place a declaration would
 * declare something else, which musl's <time.h> would even define in every file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BANNED(func) sorry_##func##_is_a_banned_function

#undef strcpy
#define strcpy(x, y) BANNED(strcpy)
#undef strcat
#define strcat(x, y) BANNED(strcat)
#undef strncpy
#define strncpy(x, y, n) BANNED(strncpy)
#undef strncat
#define strncat(x, y, n) BANNED(strncat)
#undef sprintf
#define sprintf(...) BANNED(sprintf)
#undef vsprintf
#define vsprintf(...) BANNED(vsprintf)
#undef gmtime
#define gmtime(t) BANNED(gmtime)
#undef localtime
#define localtime(t) BANNED(localtime)
#undef strtok
#define strtok(s, d) BANNED(strtok)
/* base/system.h has one that reaches the disk on every system */
#undef fsync
#define fsync(fd) BANNED(fsync)
#undef atoi
#define atoi(s) BANNED(atoi)
