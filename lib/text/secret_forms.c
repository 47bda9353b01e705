/*
 * secret_forms.c: what secrets look like, and what they are called.
 */
#include "text/secret_find.h"

#include "gen/secrets_rows.h"

#define LOWER   SECRET_LOWER
#define UPPER   SECRET_UPPER
#define DIGIT   SECRET_DIGIT
#define DASH    SECRET_DASH
#define DOT     SECRET_DOT
#define BASE64  SECRET_BASE64
#define HEX     SECRET_HEX
#define ALNUM   (LOWER | UPPER | DIGIT)
#define URLSAFE (ALNUM | DASH)
#define NO_MAX  1024

const struct secret_form secret_forms[] = { SECRETS_FORMS };
const size_t secret_n_forms = NELEM(secret_forms);

const struct secret_form secret_webhooks[] = { SECRETS_WEBHOOKS };
const size_t secret_n_webhooks = NELEM(secret_webhooks);

/* Ends of names, without _ and -, that announce a secret value. */
#define NAME(text) { sizeof(text) - 1, text }

const struct secret_name secret_key_names[] = {
	NAME("apikey"), NAME("secretkey"), NAME("accesskey"), NAME("privatekey"),
	NAME("authkey"), NAME("accountkey"), NAME("encryptionkey"), NAME("signingkey"),
	NAME("masterkey"), NAME("licensekey"), NAME("secret"), NAME("token"), NAME("apitoken"),
	NAME("credential"), NAME("credentials"), NAME("secretkeybase"), NAME("sharedaccesskey"),
	NAME("clientkeydata"),
	{ 0, NULL },
};
const struct secret_name secret_password_names[] = {
	NAME("password"), NAME("passwd"), NAME("passphrase"), NAME("pwd"), NAME("pass"),
	NAME("passwort"), NAME("kennwort"), NAME("passcode"), NAME("senha"), NAME("wachtwoord"),
	NAME("motdepasse"), NAME("contrasena"), NAME("losenord"),
	{ 0, NULL },
};

/* Words in values that are placeholders. */
const char *const secret_placeholders[] = {
	"your", "example", "sample", "dummy", "placeholder", "change", "replace", "insert", "xxxx",
	"****", "....", "1234567", "abcdef", "secret", "passw", "token", "my_", "my-", "my", "test",
	"demo", "default", "todo", "none", "null", "undefined", "redacted", "process.env", "getenv",
	"config",
	NULL,
};
