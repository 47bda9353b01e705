/*
 * host_name.h: which program a conversation was held in, as mem-setup and the formats call it.
 */
#ifndef INGEST_HOST_NAME_H
#define INGEST_HOST_NAME_H

/*
 * The host of a file in a format: "codex", "claude-code" ... Where several programs write the same
 * format its path decides. NULL: the format is nobody's own.
 */
const char *host_name(const char *format, const char *path);

#endif
