/*
 * known_projects.h: of which project a directory was that is gone. A work tree says while it is
 * there to which repository it belongs; once it is removed only the sessions that were stored
 * meanwhile know.
 */
#ifndef INGEST_KNOWN_PROJECTS_H
#define INGEST_KNOWN_PROJECTS_H

#include "store/store.h"

struct known_projects;

/* Reads the sessions of the user. Where they cannot be read nothing is known. */
struct known_projects *known_projects_read(struct store *s, const char *user);
void known_projects_free(struct known_projects *k);

/*
 * The project of the stored sessions that worked in cwd or in a directory around it, the nearest;
 * NULL: none did, or it was their own project. Borrowed.
 */
const char *known_projects_of(const struct known_projects *k, const char *cwd);

#endif
