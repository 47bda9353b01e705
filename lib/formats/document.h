/*
 * document.h: texts that nobody said, such as notes, pages and books, cut into sections at their
 * headings.
 */
#pragma once

#include "base/buf.h"

enum document_form { DOCUMENT_NONE, DOCUMENT_TEXT, DOCUMENT_MARKDOWN, DOCUMENT_ORG, DOCUMENT_HTML,
	DOCUMENT_PDF };

/* The form of a file by the ending of its name; DOCUMENT_NONE: it is no document. */
enum document_form document_form(const char *name);

/*
 * A piece of a document. path names where it stands ("Leave > Days off"), from the document's title
 * on; all are borrowed until the callback returns.
 */
struct section {
	const char *title, *path, *text;
	size_t len;
	uint64_t line;                     /* from 1; of a PDF and of HTML: not known, 0 */
};
typedef int section_fn(void *arg, const struct section *s);

/*
 * Calls fn for the sections of the text, in their order. A heading begins one, and so do a few
 * paragraphs of a longer one: where depends on what stands there, so that what is written above
 * moves no section further below. Blocks of code are not cut. Of HTML and of a PDF the text is what
 * html_page and pdftotext(1) make of it. name is what the document is called where it does not say
 * so in the text; titled: it does elsewhere, and this is it. fn returns 0 to go on; another value
 * ends the walk, and is returned.
 */
int document_sections(enum document_form form, const char *name, bool titled, const char *text,
	size_t len, section_fn *fn, void *arg);
