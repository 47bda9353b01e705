/* document_text.c: the text of a document's file. */
#include <unistd.h>

#include "base/conf.h"
#include "base/gz.h"
#include "base/run.h"
#include "base/utf8.h"
#include "formats/document.h"
#include "formats/mail_text.h"
#include "ingest/documents.h"

#define PDF_MS 120000

/* Appends what pdftotext(1) makes of the file; of a member of an archive it gets the bytes. */
static int
read_pdf(const char *path, struct buf *out, struct err *err)
{
	bool is_file = access(path, F_OK) == 0;
	const char *const args[] = { "pdftotext", "-q", "-enc", "UTF-8", is_file ? path : "-", "-",
		NULL };
	LOCAL(ran) r = { 0 };

	if (!is_file && gz_add_file(path, out, err) != 0)
		return -1;
	int rc = run(args, out->data, out->len, PDF_MS, &r, err);
	buf_reset(out);
	if (r.status == 127)
		rc = err_set(err, ERR_CONFIG,
		    "%s: a PDF, which is read by the program pdftotext: it is not installed (it "
		    "is in poppler-utils)", path);
	else if (rc == 0 && r.status != 0)
		rc = err_set(err, ERR_DATA, "%s: pdftotext cannot read it: %s", path, ran_line(&r));
	else if (r.how == RAN_OVER)
		rc = err_set(err, ERR_DATA, "%s: over 16 MB of text", path);
	else if (rc == 0 && strspn(r.out.data, " \t\r\n\f") == r.out.len)
		rc = err_set(err, ERR_DATA, "%s: a PDF without any text, such as a scan", path);
	if (rc == 0)
		buf_add(out, r.out.data, r.out.len);
	return rc;
}

/* Whether any character of more than a byte is in UTF-8. */
static bool
has_utf8(const char *s, size_t len)
{
	uint32_t cp;

	for (size_t i = 0, n; i < len; i += MAX(n, 1))
		if ((n = utf8_decode(s + i, s + len, &cp)) > 1)
			return true;
	return false;
}

/*
 * Makes it UTF-8 without the mark of the bytes' order. What is none becomes U+FFFD; where nothing
 * is in UTF-8, it is text in the charset of earlier days, or refused: -1.
 */
static int
mend(struct buf *text, uint64_t *n, const char *path, struct err *err)
{
	size_t bom = utf8_bom(text->data, text->len);

	*n = 0;
	if (bom == 0 && utf8_valid(text->data, text->len))
		return 0;
	if (!has_utf8(text->data, text->len) && !utf8_latin1(text->data, text->len))
		return err_set(err, ERR_DATA,
		    "%s: not UTF-8 (iconv -f ITS-ENCODING may make it so)", path);
	struct buf b = buf_of(4 * text->len + 16);
	if (has_utf8(text->data, text->len))
		*n = utf8_mend(&b, text->data + bom, text->len - bom);
	else
		mail_to_utf8(&b, "", text->data, text->len);
	buf_release(text);
	*text = b;
	return 0;
}

int
document_text(const char *path, struct buf *out, uint8_t sum[SHA256_BYTES], uint64_t *n_mended,
	struct err *err)
{
	bool is_pdf = document_form(path) == DOCUMENT_PDF;

	buf_init(out, MIN(conf_caps.file_bytes, (uint64_t)1 << 30));
	if ((is_pdf ? read_pdf(path, out, err) : gz_add_file(path, out, err)) != 0)
		return -1;
	if (out->full)
		return err_set(err, ERR_DATA, "%s: over file_bytes", path);
	if (memchr(out->data, '\0', out->len) != NULL)
		return err_set(err, ERR_DATA, "%s: binary data, and no document", path);
	sha256(out->data, out->len, sum);
	return mend(out, n_mended, path, err);
}
