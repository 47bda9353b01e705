/*
 * caps.h: the defaults of all limits on input. Each is a setting of the same name, in lower case
 * and without CAP_ (mem-config(5)).
 */
#pragma once

#define CAP_LINE_BYTES       (16u << 20)           /* one line of input */
#define CAP_FILE_BYTES       (4ull << 30)          /* one input file after decompression */
/* the ratio of unpacked to packed bytes; zlib reaches at most 1029 */
#define CAP_GZ_RATIO         1100
#define CAP_DEPTH            128                   /* nesting of JSON */
/* values in one JSON text, each of which takes up to 150 bytes of memory */
#define CAP_JSON_VALUES      250000
#define CAP_QUERY_BYTES      (64u << 10)           /* a question */
/* how many different terms of a question are searched */
#define CAP_QUERY_TERMS      64
#define CAP_CONTEXT_TOKENS   (1u << 20)            /* a context block */
#define CAP_OUTPUT_BYTES     (1ull << 30)          /* any buffer that grows */
#define CAP_CONFIG_BYTES     (1u << 20)            /* the configuration file */
/* user, agent, project, session, name, source id */
#define CAP_ID_BYTES         1024

/* The caps as they are set (conf_caps): type, name and default of each. */
#define CAPS(X) \
	X(size_t, line_bytes, CAP_LINE_BYTES) X(uint64_t, file_bytes, CAP_FILE_BYTES) \
	X(unsigned, gz_ratio, CAP_GZ_RATIO) X(unsigned, depth, CAP_DEPTH) \
	X(unsigned, json_values, CAP_JSON_VALUES) X(size_t, query_bytes, CAP_QUERY_BYTES) \
	X(unsigned, query_terms, CAP_QUERY_TERMS) X(size_t, context_tokens, CAP_CONTEXT_TOKENS) \
	X(size_t, output_bytes, CAP_OUTPUT_BYTES) X(size_t, config_bytes, CAP_CONFIG_BYTES) \
	X(size_t, id_bytes, CAP_ID_BYTES)
