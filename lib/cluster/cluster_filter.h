/*
 * cluster_filter.h: records that pass by, sorted into clusters; no store is touched.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"

struct cluster_filter_options {
	size_t k;                          /* so many clusters; 0: as many as there are */
	size_t max;                        /* of these at most; 0: KMEANS_MAX */
	size_t least;                      /* members of a new cluster beside kept ones */
	/* calibrated similarity that is enough to join a kept one */
	double near;
	bool keep;                         /* records with a cluster keep it */
	bool words;                        /* vectors are made of the words alone */
	/*
	 * for records without a vector; "": the service that is set, else the best there is, and
	 * words where there is none
	 */
	const char *model;
	/* key of labels; instead of the records one score is handed out; NULL: none */
	const char *compare;
	unsigned n_threads;                /* 0: as many as there are processors */
};

struct cluster_filter_out {
	/* not 0: nobody reads on, stop */
	int (*records)(void *arg, const char *ndjson, size_t len);
	void (*warn)(void *arg, const char *text);                     /* "stdin:LINE: reason" */
	void (*note)(void *arg, const char *text);                     /* what was done without */
	/* the same, where a service was set: it failed */
	void (*caution)(void *arg, const char *text);
	void *arg;
};

/*
 * Reads all records of path ("-": stdin) and hands them out in their order with two more keys:
 * "cluster", a number from 1, the largest cluster first, null for a text that has nothing in common
 * with any other; and "cluster_name", the words that set it apart. Otherwise they are byte for byte
 * the same; what is there of these two keys goes, but with keep. *n_bad: lines that are no record,
 * or have no text and no vector; they are told and left out. ERR_NOINPUT: no such model. Memory:
 * all records, 2 D bytes of each, and its words.
 */
int cluster_filter(const struct cluster_filter_options *o, const char *path,
	const struct cluster_filter_out *out, uint64_t *n_bad, struct err *err);
