/*
 * model_record.c: writes the keys of a model record, for all programs that print one.
 */
#include "embed/model_record.h"
#include "json/json.h"

const char *
model_speaker_name(enum model_speaker s)
{
	return s == SPEAKER_SAID ? "said" : "none";
}

const char *
model_identifiers_name(enum model_identifiers i)
{
	return i == IDENTIFIERS_WORDS ? "words" : "whole";
}

void
model_record_keys(struct buf *out, const struct modelfile *f, const char *path)
{
	const struct model_info *i = &f->info;
	char hex[SHA256_TEXT];

	json_str(out, "type", "model");
	json_str(out, "name", i->name);
	json_str(out, "path", path);
	json_int(out, "dimensions", i->n_dims);
	json_int(out, "layers", i->n_layers);
	json_int(out, "heads", i->n_heads);
	json_int(out, "inner", i->n_inner);
	json_int(out, "vocabulary", i->n_vocab);
	json_int(out, "max_tokens", i->max_tokens);
	json_str(out, "weights", i->quantised ? "int8" : "float32");
	json_str(out, "tokenizer",
	    f->tokenizer.kind == TOKENIZER_WORDPIECE ? "wordpiece" : "unigram");
	json_str(out, "query_prefix", i->query_prefix);
	json_str(out, "passage_prefix", i->passage_prefix);
	json_str(out, "speaker", model_speaker_name(i->speaker));
	json_str(out, "identifiers", model_identifiers_name(i->identifiers));
	json_num(out, "unrelated", (double)i->unrelated);
	json_bool(out, "centred", f->centre != NULL);
	if (i->licence[0] != '\0')
		json_str(out, "licence", i->licence);
	json_int(out, "bytes", (int64_t)i->n_bytes);
	json_str(out, "sha256", hex_format(i->sha256, SHA256_BYTES, hex));
	json_str(out, "source_sha256", hex_format(i->source_sha256, SHA256_BYTES, hex));
}
