/*
 * secrets_test.c: redaction of secrets and of private spans. For each form random values are made
 * here, from the issuer's alphabet and length, and put into sentences: all but one in a hundred
 * must be found, whole. Then what must be left alone.
 */
#include "tap.h"

#include "base/base.h"
#include "text/secrets.h"

#define ROUNDS 500

static const char alnum[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
static const char urlsafe[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
static const char base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static const char hex[] = "0123456789abcdef";
static const char base32[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
static const char digits[] = "0123456789";
static const char password[] = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789!#%^*_-+";

/* A value is up to five pieces: a literal, then so many characters of an alphabet, and so on. */
struct piece { const char *literal, *alphabet; size_t n; };

static const struct { const char *name; struct piece pieces[5]; } canaries[] = {
	{ "github-token", { { "ghp_", alnum, 36 } } },
	{ "github-token", { { "gho_", alnum, 36 } } },
	{ "github-token", { { "github_pat_", alnum, 22 }, { "_", alnum, 59 } } },
	{ "openai-key", { { "sk-", alnum, 20 }, { "T3BlbkFJ", alnum, 20 } } },
	{ "openai-key", { { "sk-proj-", urlsafe, 80 } } },
	{ "anthropic-key", { { "sk-ant-api03-", urlsafe, 93 }, { "AA", alnum, 0 } } },
	{ "openrouter-key", { { "sk-or-v1-", hex, 64 } } },
	{ "aws-key", { { "AKIA", base32, 16 } } },
	{ "slack-token", { { "xoxb-", digits, 11 }, { "-", digits, 12 }, { "-", alnum, 24 } } },
	{ "slack-token", { { "xapp-1-A", base32, 10 }, { "-", digits, 13 }, { "-", hex, 64 } } },
	{ "slack-webhook", { { "https://hooks.slack.com/services/T", base32, 10 }, { "/B", base32, 10 }, { "/", alnum, 24 } } },
	{ "stripe-key", { { "sk_live_", alnum, 24 } } },
	{ "mollie-key", { { "live_", alnum, 30 } } },
	{ "mollie-key", { { "test_", alnum, 30 } } },
	{ "mollie-token", { { "access_", alnum, 30 } } },
	{ "gocardless-token", { { "live_", urlsafe, 39 }, { "7", alnum, 0 } } },
	{ "paddle-key", { { "pdl_live_apikey_", alnum, 26 }, { "_", alnum, 22 }, { "_", alnum, 3 } } },
	{ "plaid-token", { { "access-sandbox-", hex, 8 }, { "-4a1b-9c0d-8e7f-", hex, 12 } } },
	{ "klaviyo-key", { { "pk_", hex, 34 } } },
	{ "mailersend-token", { { "mlsn.", hex, 64 } } },
	{ "brevo-key", { { "xsmtpsib-", hex, 64 }, { "-", hex, 16 } } },
	{ "resend-key", { { "re_", alnum, 8 }, { "_", alnum, 24 } } },
	{ "supabase-key", { { "sb_secret_", alnum, 22 }, { "_", alnum, 8 } } },
	{ "render-key", { { "rnd_", alnum, 32 } } },
	{ "neon-key", { { "napi_", alnum, 64 } } },
	{ "tailscale-key", { { "tskey-auth-k", alnum, 16 }, { "-", alnum, 32 } } },
	{ "circleci-token", { { "CCIPAT_", alnum, 22 }, { "_", hex, 40 } } },
	{ "airtable-token", { { "pat", alnum, 14 }, { ".", hex, 64 } } },
	{ "hubspot-token", { { "pat-eu1-", hex, 8 }, { "-4a1b-9c0d-8e7f-", hex, 12 } } },
	{ "elevenlabs-key", { { "sk_", hex, 48 } } },
	{ "together-key", { { "tgp_v1_", urlsafe, 43 } } },
	{ "firecrawl-key", { { "fc-", hex, 32 } } },
	{ "cursor-key", { { "key_", hex, 64 } } },
	{ "matrix-token", { { "syt_", alnum, 12 }, { "_", alnum, 20 }, { "_", alnum, 6 } } },
	{ "slack-token", { { "xoxe-1-", alnum, 146 } } },
	{ "slack-webhook", { { "https://hooks.slack.com/workflows/T", base32, 10 }, { "/A", base32, 10 }, { "/", alnum, 24 } } },
	{ "stripe-key", { { "rk_test_", alnum, 99 } } },
	{ "stripe-key", { { "whsec_", alnum, 32 } } },
	{ "google-key", { { "AIza", urlsafe, 35 } } },
	{ "google-token", { { "ya29.", urlsafe, 120 } } },
	{ "gitlab-token", { { "glpat-", urlsafe, 20 } } },
	{ "npm-token", { { "npm_", alnum, 36 } } },
	{ "pypi-token", { { "pypi-AgEIcHlwaS5vcmc", urlsafe, 140 } } },
	{ "huggingface-token", { { "hf_", alnum, 34 } } },
	{ "telegram-token", { { "", digits, 9 }, { ":AA", urlsafe, 33 } } },
	{ "sendgrid-key", { { "SG.", alnum, 22 }, { ".", alnum, 43 } } },
	{ "twilio-key", { { "SK", hex, 32 } } },
	{ "digitalocean-token", { { "dop_v1_", hex, 64 } } },
	{ "databricks-token", { { "dapi", hex, 32 } } },
	{ "vault-token", { { "hvs.", urlsafe, 90 } } },
	{ "shopify-token", { { "shpat_", hex, 32 } } },
	{ "jwt", { { "eyJhbGciOiJIUzI1NiJ9.eyJ", urlsafe, 60 }, { ".", urlsafe, 43 } } },
	{ "discord-token", { { "MT", alnum, 24 }, { ".G", alnum, 5 }, { ".", alnum, 38 } } },
	{ "url-password", { { "postgres://app:", alnum, 14 }, { "@db.host.net/x", alnum, 0 } } },
	{ "bearer-token", { { "Authorization: Bearer ", urlsafe, 40 } } },
	{ "basic-auth", { { "Authorization: Basic ", base64, 28 }, { "==", alnum, 0 } } },
	{ "secret", { { "AccountKey=", base64, 86 }, { "==", alnum, 0 } } },
	{ "secret", { { "AWS_SECRET_ACCESS_KEY=", base64, 40 } } },
	{ "secret", { { "api_key = \"", alnum, 32 }, { "\"", alnum, 0 } } },
	{ "secret", { { "app.config['SECRET_KEY'] = '", hex, 48 }, { "'", alnum, 0 } } },
	{ "secret", { { "{\"accessToken\": \"", alnum, 40 }, { "\"}", alnum, 0 } } },
	{ "password", { { "DB_PASSWORD=", password, 16 } } },
	{ "password", { { "password: \"", password, 14 }, { "\"", alnum, 0 } } },
	{ "private-key", { { "-----BEGIN RSA PRIVATE KEY-----\n", base64, 64 }, { "\n", base64, 64 }, { "=\n-----END RSA PRIVATE KEY-----", alnum, 0 } } },
	{ "private-key", { { "-----BEGIN OPENSSH PRIVATE KEY-----\\n", base64, 70 }, { "\\n", base64, 70 }, { "\\n-----END OPENSSH PRIVATE KEY-----", alnum, 0 } } },
	{ "private-key", { { "> -----BEGIN RSA PRIVATE KEY-----\n> ", base64, 64 }, { "\n> ", base64, 64 }, { "=\n> -----END RSA PRIVATE KEY-----", alnum, 0 } } },
	{ "private-key", { { ">> -----BEGIN PRIVATE KEY-----\n>> ", base64, 64 }, { "\n>> ", base64, 64 }, { "=\n>> -----END PRIVATE KEY-----", alnum, 0 } } },
	{ "private-key", { { "Mara> -----BEGIN PRIVATE KEY-----\nMara> ", base64, 64 }, { "\nMara> ", base64, 64 }, { "\nMara> -----END PRIVATE KEY-----", alnum, 0 } } },
	{ "private-key", { { "&gt; -----BEGIN PRIVATE KEY-----\n&gt; ", base64, 64 }, { "\n&gt; ", base64, 64 }, { "\n&gt; -----END PRIVATE KEY-----", alnum, 0 } } },
	{ "private-key", { { "# -----BEGIN EC PRIVATE KEY-----\n# ", base64, 64 }, { "\n# ", base64, 64 }, { "\n# -----END EC PRIVATE KEY-----", alnum, 0 } } },
	{ "private-key", { { " * -----BEGIN PRIVATE KEY-----\n * ", base64, 64 }, { "\n * ", base64, 64 }, { "\n * -----END PRIVATE KEY-----", alnum, 0 } } },
	{ "private-key", { { "     1\xe2\x86\x92-----BEGIN PRIVATE KEY-----\n     2\xe2\x86\x92", base64, 64 }, { "\n     3\xe2\x86\x92", base64, 64 },
		{ "\n     4\xe2\x86\x92-----END PRIVATE KEY-----", alnum, 0 } } },
	{ "private-key", { { "> -----BEGIN PRIVATE KEY-----\\n> ", base64, 64 }, { "\\n> ", base64, 64 }, { "\\n> -----END PRIVATE KEY-----", alnum, 0 } } },
	{ "google-token", { { "1//0", urlsafe, 60 } } },
	{ "heroku-key", { { "HRKU-", hex, 8 }, { "-", hex, 4 }, { "-", hex, 4 }, { "-", hex, 4 }, { "-", hex, 12 } } },
	{ "square-token", { { "sq0atp-", urlsafe, 22 } } },
	{ "fly-token", { { "FlyV1 fm2_", alnum, 80 } } },
	{ "terraform-token", { { "", alnum, 14 }, { ".atlasv1.", urlsafe, 65 } } },
	{ "sentry-token", { { "sntrys_", alnum, 80 } } },
	{ "netlify-token", { { "nfp_", alnum, 40 } } },
	{ "vercel-token", { { "vercel_blob_rw_", alnum, 30 } } },
	{ "github-token", { { "ghp_", alnum, 18 }, { "\n", alnum, 18 } } },
	{ "token", { { "gh\xe2\x80\x8bp_", alnum, 36 } } },
	{ "token", { { "\xef\xbd\x87hp_", alnum, 36 } } },
	{ "secret", { { "client-key-data: ", base64, 120 } } },
	{ "secret", { { "https://x.example/cb?access_token=", alnum, 48 }, { "&x=1", alnum, 0 } } },
	{ "url-token", { { "https://x.example/c?sv=2020&sig=", alnum, 43 }, { "%3D", alnum, 0 } } },
	{ "url-password", { { "redis://:", alnum, 20 }, { "@localhost:6379/0", alnum, 0 } } },
	{ "url-password", { { "https://", hex, 40 }, { "@git.example/x", alnum, 0 } } },
	{ "cookie", { { "Cookie: lang=en; session=", alnum, 60 } } },
	{ "cookie", { { "set-cookie: sid=", alnum, 60 }, { "; Path=/", alnum, 0 } } },
	{ "password", { { "curl -s -u admin:", alnum, 12 }, { "4k https://x.example/", alnum, 0 } } },
	{ "password", { { "curl --user 'admin:", alnum, 12 }, { "4k' https://x.example/", alnum, 0 } } },
	{ "password", { { "mysql -u root -p", alnum, 12 }, { "4k db", alnum, 0 } } },
	{ "password", { { "sshpass -p ", alnum, 12 }, { "4k ssh root@h", alnum, 0 } } },
	{ "password", { { "deploy --password ", alnum, 12 }, { "4k --force", alnum, 0 } } },
	{ "password", { { "machine api.example login me password ", alnum, 14 } } },
	{ "password", { { "my password is ", alnum, 10 }, { "4k", alnum, 0 } } },
	{ "password", { { "the password for the guest wifi is ", alnum, 10 }, { "4k", alnum, 0 } } },
	{ "password", { { "mein Passwort lautet ", alnum, 10 }, { "4k", alnum, 0 } } },
	{ "password", { { "Das WLAN-Passwort ist jetzt: ", alnum, 10 }, { "-77", alnum, 0 } } },
	{ "password", { { "the new password is now set to ", alnum, 10 }, { "4k", alnum, 0 } } },
	{ "password", { { "the password was changed to ", alnum, 10 }, { "4k", alnum, 0 } } },
	{ "password", { { "la contrase\xc3\xb1" "a es ahora ", alnum, 10 }, { "4k", alnum, 0 } } },
	{ "password", { { "the password has been changed to ", alnum, 10 }, { "4k", alnum, 0 } } },
	{ "password", { { "\xd0\xbf\xd0\xb0\xd1\x80\xd0\xbe\xd0\xbb\xd1\x8c "
		"\xd1\x82\xd0\xb5\xd0\xbf\xd0\xb5\xd1\x80\xd1\x8c ", alnum, 10 },
		{ "4k", alnum, 0 } } },
	{ "password", { { "\xe5\xaf\x86\xe7\xa0\x81\xe7\x8e\xb0\xe5\x9c\xa8\xe6\x98\xaf", alnum, 10 },
		{ "4k", alnum, 0 } } },
	{ "password", { { "\xe5\xaf\x86\xe7\xa0\x81\xe6\x94\xb9\xe6\x88\x90\xe4\xba\x86", alnum, 10 },
		{ "4k", alnum, 0 } } },
	{ "password", { { "I set the admin password to ", alnum, 10 }, { "4k", alnum, 0 } } },
	{ "password", { { "das Passwort wurde auf ", alnum, 10 }, { "4kx ge\xc3\xa4ndert", alnum, 0 } } },
	{ "password", { { "Das Passwort ist ab heute ", alnum, 10 }, { "4k", alnum, 0 } } },
	{ "password", { { "he cambiado la contrase\xc3\xb1" "a a ", alnum, 10 }, { "4kx", alnum, 0 } } },
	{ "password", { { "le mot de passe a \xc3\xa9t\xc3\xa9 chang\xc3\xa9 en ", alnum, 10 },
		{ "4kx", alnum, 0 } } },
	{ "password", { { "mon mot de passe est ", alnum, 10 }, { "4k", alnum, 0 } } },
	{ "password", { { "mi contrase\xc3\xb1" "a es ", alnum, 10 }, { "4k", alnum, 0 } } },
	{ "password", { { "minha senha \xc3\xa9 ", alnum, 10 }, { "4k", alnum, 0 } } },
	{ "password", { { "\xd0\xbf\xd0\xb0\xd1\x80\xd0\xbe\xd0\xbb\xd1\x8c \xe2\x80\x94 ", alnum, 10 }, { "4k", alnum, 0 } } },
	{ "password", { { "\xe5\xaf\x86\xe7\xa0\x81\xe6\x98\xaf", alnum, 10 }, { "4k", alnum, 0 } } },
	{ "password", { { "het wachtwoord van de wifi is ", alnum, 10 }, { "4k", alnum, 0 } } },
	{ "password", { { "het wachtwoord is gewijzigd naar ", alnum, 10 }, { "4kx", alnum, 0 } } },
	{ "password", { { "l\xc3\xb6senordet: ", alnum, 10 }, { "!4", alnum, 0 } } },
	{ "password", { { "a palavra-passe \xc3\xa9 ", alnum, 10 }, { "4k", alnum, 0 } } },
	{ "password", { { "Das Kennwort ist ", alnum, 10 }, { "4k", alnum, 0 } } },
	{ "password", { { "the passphrase for the backup is ", alnum, 10 }, { "4k", alnum, 0 } } },
	{ "password", { { "\xe3\x83\x91\xe3\x82\xb9\xe3\x83\xaf\xe3\x83\xbc\xe3\x83\x89"
		"\xe3\x81\xaf", alnum, 10 }, { "4k", alnum, 0 } } },
	{ "password", { { "\xeb\xb9\x84\xeb\xb0\x80\xeb\xb2\x88\xed\x98\xb8\xeb\x8a\x94 ",
		alnum, 10 }, { "4k", alnum, 0 } } },
	{ "password", { { "sudo htpasswd -c -b /etc/nginx/x cor ", alnum, 12 }, { "26", alnum, 0 } } },
	{ "password", { { "htpasswd -bc /etc/nginx/x ann ", alnum, 8 }, { "k4", alnum, 0 } } },
	{ "password", { { "htpasswd -nbB -C 12 ann '", alnum, 8 }, { "k4' >x", alnum, 0 } } },
	{ "password", { { "mosquitto_passwd -b /etc/mosquitto/x ann ", alnum, 10 }, { "k4", alnum, 0 } } },
	{ "password", { { "wpa_passphrase Home ", alnum, 12 }, { "k4", alnum, 0 } } },
	{ "password", { { "parola e Kx", alnum, 10 }, { "4k", alnum, 0 } } },
	{ "password", { { "parola wifi este ", alnum, 10 }, { "4k", alnum, 0 } } },
	{ "password", { { "parola wifi: Kx", alnum, 10 }, { "4k", alnum, 0 } } },
	{ "password", { { "has\xc5\x82o do wifi to ", alnum, 10 }, { "4k", alnum, 0 } } },
	{ "password", { { "heslo na wifi je ", alnum, 10 }, { "4k", alnum, 0 } } },
	{ "password", { { "lozinka je ", alnum, 10 }, { "4k", alnum, 0 } } },
	{ "password", { { "a jelsz\xc3\xb3: Kx", alnum, 10 }, { "4k", alnum, 0 } } },
	{ "password", { { "wifin salasana on ", alnum, 10 }, { "4k", alnum, 0 } } },
	{ "password", { { "adgangskoden til wifi er ", alnum, 10 }, { "4k", alnum, 0 } } },
	{ "password", { { "passordet er ", alnum, 10 }, { "4k", alnum, 0 } } },
	{ "password", { { "wifi \xc5\x9fifresi Kx", alnum, 10 }, { "4k", alnum, 0 } } },
	{ "password", { { "la contrasenya \xc3\xa9s: Kx", alnum, 10 }, { "4k", alnum, 0 } } },
	{ "password-hash", { { "admin:$apr1$", alnum, 8 }, { "$", alnum, 22 } } },
	{ "private-key", { { "> -----BEGIN RSA PRIVATE KEY-----\n> Proc-Type: 4,ENCRYPTED\n> \n> ", base64, 64 }, { "\n> ", base64, 64 } } },
};

static uint64_t seed = 1;

static unsigned
pick(unsigned n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (unsigned)((seed >> 20) % n);
}

/* The value of a canary; *secret gets its longest random piece. */
static void
make(const struct piece *pieces, char *out, size_t size, char *secret)
{
	size_t len = 0, longest = 0;

	for (size_t i = 0; i < 5 && pieces[i].literal != NULL; i++) {
		len += (size_t)snprintf(out + len, size - len, "%s", pieces[i].literal);
		for (size_t k = 0; k < pieces[i].n; k++)
			out[len++] = pieces[i].alphabet[pick((unsigned)strlen(pieces[i].alphabet))];
		if (pieces[i].n > longest) {
			longest = pieces[i].n;
			memcpy(secret, out + len - longest, longest);
			secret[longest] = '\0';
		}
	}
	out[len] = '\0';
}

static const struct { const char *before, *after; } frames[] = {
	{ "", "" }, { "use ", " please" }, { "it is `", "`." }, { "key:\n\n    ", "\nthen run it" }, { "\xe7\x94\xa8", " \xe5\x90\xa7" }, { "(", ")" },
};

static void
check_canaries(struct buf *out)
{
	for (size_t i = 0; i < NELEM(canaries); i++) {
		char value[1000], secret[300], text[1200], mark[60], again_text[1300];
		unsigned missed = 0, again = 0;

		snprintf(mark, sizeof(mark), "[REDACTED:%s]", canaries[i].name);
		for (unsigned round = 0; round < ROUNDS; round++) {
			unsigned frame = round % NELEM(frames);
			unsigned n;

			make(canaries[i].pieces, value, sizeof(value), secret);
			snprintf(text, sizeof(text), "%s%s%s", frames[frame].before, value,
			    frames[frame].after);
			n = secrets_redact(text, strlen(text), out);
			if (n != 1 || strstr(out->data, secret) != NULL ||
			    strstr(out->data, mark) == NULL ||
			    memcmp(out->data, text, strlen(frames[frame].before)) != 0)
				missed++;
			snprintf(again_text, sizeof(again_text), "%s", out->data);
			again += n > 0 && secrets_redact(again_text, strlen(again_text), out) != 0;
		}
		ok(missed <= ROUNDS / 100, "%s, form %zu: missed %u of %d", canaries[i].name, i,
		    missed, ROUNDS);
		is_int(again, 0, "and what is redacted is redacted once");
	}
}

static const char *const harmless[] = {
	"the password is now set by the deploy3 script",
	"password login has been changed to OAuth2, the password manager is now KeePass2",
	"the password field was set to required3, we changed the password hashing to argon2",
	"Das Passwort habe ich auf Server2 ge\xc3\xa4ndert",
	"the password has been stored in vault2, and has been rotated",
	"the password is now stored in vault2 and rotated",
	"das Passwort ist jetzt neu gesetzt",
	"the password one two three four five six seven eight nine ten eleven twelve",
	"la parola e python3 vanno insieme, la parola era html5x, parola chiave: async2",
	"parola este gre\xc8\x99it\xc4\x83, parola contului e expirat\xc4\x83 pe server1",
	"heslo je kratke, has\xc5\x82o to podstawa, salasana on liian lyhyt, passordet er for kort",
	"htpasswd -c /etc/nginx/x ann; htpasswd -b /etc/nginx/x ann $PW; man htpasswd -b and so on",
	"the exit code is 1234, error code for the gate is 1002, zip code is 4471",
	"the door code is 4471 lines long, the alarm code was rewritten in 2024",
	"the code for port is 8080, the code for it is 4471",
	"the alarm error code is 1002; code review of the door is 4471 minutes",
	"",
	"da39a3ee5e6b4b0d3255bfef95601890afd80709",
	"commit 9fceb02d0ae598e95dc970b74767f19372d61af8 fixes it",
	"the token bucket came with commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
	"the token is stored in user_profiles_2024_v12",
	"the api key is rotated in deploy-2024-11-03-rc1",
	"token count of the run: total_tokens_2024_run_17",
	"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
	"550e8400-e29b-41d4-a716-446655440000",
	"<img "
	"src=\"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//"
	"8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==\">",
	"pneumonoultramicroscopicsilicovolcanoconiosis and Donaudampfschifffahrtsgesellschaft",
	"api_key = \"your-api-key-here\"",
	"api_key = os.getenv(\"OPENAI_API_KEY\")",
	"apiKey: process.env.OPENAI_API_KEY_2024",
	"OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
	"sk-ant-your-key-goes-here-please",
	"AKIAIOSFODNN7EXAMPLE",
	"ghp_ and github_pat_ are the prefixes; sk- too",
	"password = request.form['password']",
	"user.password = generate_password_hash(password)",
	"password: str, token: Optional[str] = None",
	"the password is: correct",
	"postgresql://user:password@localhost:5432/mydb",
	"mysql://${USER}:${PASS}@host/db",
	"see http://example.com:8080/a@b and ftp://host/x:y@z",
	"max_tokens = 4096, token_count: 1234567890123456",
	"the token: abc def; secret: nothing",
	"bearer of bad news, basic authentication-related-things-to-know",
	"Authorization: Bearer <token>",
	"Authorization: Bearer your-access-token-goes-here",
	"Authorization: Basic credentials-go-here-and-nowhere",
	"-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
	"-----BEGIN "
	"CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\n-----"
	"END CERTIFICATE-----",
	"eyJhbGciOiJIUzI1NiJ9 is the header of a token",
	"meet at 12:30, room 4:AAbbccddeeffgg; ratio 10:1",
	"this.is.a.very.long.dotted.name.of.a.package and snake_case_names_are_long_too_2024",
	"public_key=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDf",
	"key=value, primary_key: user_id_2024_table_name1",
	"risk-management-framework-for-large-organisations-2024",
	"> -----BEGIN PRIVATE KEY-----\n> ...\n> -----END PRIVATE KEY-----",
	"the password is required, the password is SHA256-hashed, my password is too long",
	"the password is base64 encoded; the password is stored in /etc/secret1",
	"password: getUserFirstName(), \"password\": user.password1",
	"le mot de passe est obligatoire, il se passe 3 choses; minha senha \xc3\xa9 curta",
	"login page password reset now; the login password reset2024page",
	"mysql -h db -u root -p shop; ssh -p 2222 host1; mkdir -p build/x86",
	"docker run -u 1000:1000 node18; rsync -u host1:backup/files2 .",
	"curl -u user https://example.com; curl -u $USER:$PASS https://example.com",
	"curl -u <user>:<password> https://example.com",
	"deploy --token $TOKEN --password \"$PW\" --password-file /run/secrets/db2",
	"Cookie: a small cake; cookie: yes; Set-Cookie: lang=en; Path=/",
	"call 1234 5678 9012 3456 or 4111 1111 1111 1112; in 2020 2021 2022 2023",
	"DE89 3704 0044 0532 0130 01 is no account; AB12 of 1234 5678",
	"PIN: 13; GPIO PIN 4821; pin: 4821; SPIN: 4821",
	"pincode 560034 is a part of Bengaluru; the opinion is 4821; pin is 13; spin is 4821",
	"pin the version to 4821, the pin on the board is 17, shipping is 4821",
	"the password Section-3-Form was moved; the password reset-2-form; password Server12",
	"wachtwoord vergeten? het wachtwoord is verlopen; l\xc3\xb6senordet \xc3\xa4r bytt",
	"test_TheServerRestartsAfterUpdate2, test_da39a3ee5e6b4b0d3255bfef95601890",
	"live_reload_of_the_templates_in_2024, access_control_allow_origin_header_2",
	"re_match_every_single_line_of_text_2, sk_buff_alloc_and_free_of_the_pool_3",
	"https://user@example.com/path; git@github.com:me/repo; https://me.myself@host/x",
	"https://forum.example/view.php?p=17490&sid=590335c11cd63963d620b072678d5c30",
	"root:$6$salt$hash... in the file",
	"sk-learn\nsklearn2024version and ghp_short\nline",
	"deploy --password \"",
	"deploy --password '",
	"the password: ",
	"the password is \"",
};

/* What has a checksum, or so few characters that the forms of canaries do not fit. */
static const struct { const char *text, *want; } said[] = {
	{ "card 4111 1111 1111 1111 exp", "card [REDACTED:card-number] exp" },
	{ "card 4111-1111-1111-1111.", "card [REDACTED:card-number]." },
	{ "to DE89 3704 0044 0532 0130 00, please", "to [REDACTED:iban], please" },
	{ "to DE89370400440532013000", "to [REDACTED:iban]" },
	{ "PIN: 4821 ok", "PIN: [REDACTED:pin] ok" },
	{ "The API token for the port is tok_live_51Hq8ZbTn2cYw9Kd",
	    "The API token for the port is [REDACTED:secret]" },
	{ "api key: 9f8e7d6c5b4a39281706f5e4d3c2b1a0", "api key: [REDACTED:secret]" },
	{ "Der API-Schl\xc3\xbcssel ist 9f8e7d6c5b4a39281706f5e4d3c2b1a0.",
	    "Der API-Schl\xc3\xbcssel ist [REDACTED:secret]." },
	{ "API\xe5\xaf\x86\xe9\x92\xa5\xe6\x98\xaf" "9f8e7d6c5b4a39281706f5e4d3c2b1a0",
	    "API\xe5\xaf\x86\xe9\x92\xa5\xe6\x98\xaf[REDACTED:secret]" },
	{ "my password is hunter2.", "my password is [REDACTED:password]." },
	{ "Passwort: jAvQwiRmNN", "Passwort: [REDACTED:password]" },
	{ "het wachtwoord is Maple!77", "het wachtwoord is [REDACTED:password]" },
	{ "wifi: hut, password Maple-77-Chalk", "wifi: hut, password [REDACTED:password]" },
	{ "password Maple-77-Chalk, ok", "password [REDACTED:password], ok" },
	{ "wachtwoord: Maple!77", "wachtwoord: [REDACTED:password]" },
	{ "contrase\xc3\xb1" "a: Maple!77", "contrase\xc3\xb1" "a: [REDACTED:password]" },
	{ "pincode 4711", "pincode [REDACTED:pin]" },
	{ "de pincode van de kluis is 471182.", "de pincode van de kluis is [REDACTED:pin]." },
	{ "Die PIN der Karte ist 4711", "Die PIN der Karte ist [REDACTED:pin]" },
	{ "the pin is now 4711, ok", "the pin is now [REDACTED:pin], ok" },
	{ "il codice pin \xc3\xa8 4711", "il codice pin \xc3\xa8 [REDACTED:pin]" },
	{ "PIN code: 4711", "PIN code: [REDACTED:pin]" },
	{ "the alarm code is 4471", "the alarm code is [REDACTED:pin]" },
	{ "alarm code is 4471 and the door code: 2210.", "alarm code is [REDACTED:pin] and the door code: [REDACTED:pin]." },
	{ "the code for the garage is 4471, ok", "the code for the garage is [REDACTED:pin], ok" },
	{ "Der Alarm-Code ist 4471", "Der Alarm-Code ist [REDACTED:pin]" },
	{ "le code de l'alarme est 4471", "le code de l'alarme est [REDACTED:pin]" },
	{ "codul de la alarm\xc4\x83 e 4471", "codul de la alarm\xc4\x83 e [REDACTED:pin]" },
	{ "sudo htpasswd -c -b /etc/nginx/x cor Teiul-Inflorit", "sudo htpasswd -c -b /etc/nginx/x cor [REDACTED:password]" },
	{ "parola e Teiul2028x si merge", "parola e [REDACTED:password] si merge" },
	{ "PIN\xe7\xa0\x81\xe6\x98\xaf" "4711", "PIN\xe7\xa0\x81\xe6\x98\xaf[REDACTED:pin]" },
	{ "\xe6\x9a\x97\xe8\xa8\xbc\xe7\x95\xaa\xe5\x8f\xb7\xe3\x81\xaf" "4711",
	    "\xe6\x9a\x97\xe8\xa8\xbc\xe7\x95\xaa\xe5\x8f\xb7\xe3\x81\xaf[REDACTED:pin]" },
};

static void
check_said(struct buf *out)
{
	for (size_t i = 0; i < NELEM(said); i++) {
		secrets_redact(said[i].text, strlen(said[i].text), out);
		is_str(out->data, said[i].want, "%s", said[i].want);
		/* wherever blocks of 16 bytes begin */
		for (unsigned pad = 1; pad < 34; pad++) {
			char text[160], want[160];

			snprintf(text, sizeof(text), "%*s %s", (int)pad, ".", said[i].text);
			snprintf(want, sizeof(want), "%*s %s", (int)pad, ".", said[i].want);
			secrets_redact(text, strlen(text), out);
			if (strcmp(out->data, want) != 0)
				is_str(out->data, want, "behind %u bytes", pad);
		}
	}
}

static void
check_harmless(struct buf *out)
{
	for (size_t i = 0; i < NELEM(harmless); i++) {
		unsigned n = secrets_redact(harmless[i], strlen(harmless[i]), out);

		ok(n == 0 && out->len == 0, "left alone: %.*s", (int)strcspn(harmless[i], "\n"),
		    harmless[i]);
	}
}

static const struct { const char *text, *want; unsigned n; } privates[] = {
	{ "nothing", "", 0 },
	{ "a <b> c < private>", "", 0 },
	{ "a<private>b</private>c", "ac", 1 },
	{ "a<PRIVATE>b</Private >c<private>d</private>", "ac", 2 },
	{ "a<private>b", "a", 1 },
	{ "a<private>b<private>c</private>d</private>e", "ae", 1 },
	{ "a</private>b", "", 0 },
	{ "<private>x</privat", "", 1 },
	{ "<privates>x</privates>", "", 0 },
	{ "<private", "", 0 },
	{ "a<private></private>b", "ab", 1 },
	{ "a<<private>b</private>>", "a<>", 1 },
};

int
main(void)
{
	static char noise[60000];
	struct buf out;
	unsigned n;

	buf_init(&out, 1 << 20);
	check_canaries(&out);
	check_harmless(&out);
	check_said(&out);
	for (size_t i = 0; i < NELEM(privates); i++) {
		is_int(secrets_drop_private(privates[i].text, strlen(privates[i].text), &out),
		    privates[i].n, "private: %s", privates[i].text);
		is_str(out.data, privates[i].want, "leaves \"%s\"", privates[i].want);
	}
	is_int(secrets_redact("a AKIAABCDEFGHIJ234567 b AKIAZYXWVUTSRQ234567", 45, &out), 2,
	    "two in one text");
	is_str(out.data, "a [REDACTED:aws-key] b [REDACTED:aws-key]", "both gone, the rest kept");

#define ID   "AKIAABCDEFGHIJ234567"
#define HALF "Wm3/Xq8+Rt5vZb2LkNc7Yd/Hf4JgPu6Ea9TsQoBi"
	static const char *const halves[][2] = {
		{ ID " with secret " HALF ".", "[REDACTED:aws-key] with secret [REDACTED:aws-secret]." },
		{ ID " / " HALF, "[REDACTED:aws-key] / [REDACTED:aws-secret]" },
		{ ID ":" HALF, "[REDACTED:aws-key]:[REDACTED:aws-secret]" },
		{ "id=" ID ";secret=" HALF, "id=[REDACTED:aws-key];secret=[REDACTED:aws-secret]" },
		{ ID " of 3f786850e387550fdab836ed7e6dc881de23001b",
		    "[REDACTED:aws-key] of 3f786850e387550fdab836ed7e6dc881de23001b" },
	};
	for (size_t i = 0; i < NELEM(halves); i++) {
		secrets_redact(halves[i][0], strlen(halves[i][0]), &out);
		is_str(out.data, halves[i][1], "both halves of a key, %zu", i);
	}

	/*
	 * blocks of 16 bytes begin anywhere: two words and blanks that end one do not hide what the
	 * next begins with
	 */
	for (unsigned pad = 0; pad < 40; pad++) {
		char text[120];

		snprintf(text, sizeof(text), "%*s: Bearer  Bearer abcdeA8h/jklmnouvw12345",
		    (int)pad + 1, "");
		is_int(secrets_redact(text, strlen(text), &out), 1, "a token behind %u bytes",
		    pad + 1);
	}

	/* bytes of everything, in exact memory: nothing to find, nothing to break */
	for (unsigned round = 0; round < 300; round++) {
		static const char bits[] = "sk-ant-AKIA://:@=\"' \n<private>-----BEGIN PRIVATE "
					   "KEY-----eyJ.token=password:Bearer \0\xff\xe4"
					   "my password is -p --password \"'curl -u a:b";
		size_t len = 0;
		char *copy;

		while (len < 2000) {
			size_t from = pick(sizeof(bits)), k = pick(12);

			k = MIN(k, sizeof(bits) - from);
			memcpy(noise + len, bits + from, k);
			len += k;
		}
		copy = malloc(len);
		memcpy(copy, noise, len);
		secrets_redact(copy, len, &out);
		secrets_drop_private(copy, len, &out);
		free(copy);
	}
	/* a name in the lists is one however it is written, and whatever is before it */
	static const char *const names[] = { "apikey", "API_KEY", "api-key-2", "secretKey",
		"access_key", "privateKey_1", "AUTH-KEY", "x.account_key", "encryptionKey",
		"SIGNING_KEY__3", "masterkey", "LicenseKey", "client_secret", "GH_TOKEN",
		"api_token9", "credential", "AWS_CREDENTIALS", "SECRET_KEY_BASE", "SharedAccessKey",
		"password", "PASSWD", "pass-phrase", "db_pwd", "Pass_", "userPassword2" };
	unsigned missed = 0;
	for (size_t i = 0; i < NELEM(names); i++) {
		snprintf(noise, sizeof(noise), "it is %s = \"gT7#kq2Lw9ZpXv4R\" there", names[i]);
		if (secrets_redact(noise, strlen(noise), &out) == 0)
			snprintf(noise, sizeof(noise), "it is %s = \"gT7kq2Lw9ZpXv4Rb\" there",
			    names[i]);
		if (secrets_redact(noise, strlen(noise), &out) != 1) {
			tap_note("%s", noise);
			missed++;
		}
	}
	is_int(missed, 0, "names of secrets");
	is_int(secrets_redact("monkey = \"gT7kq2Lw9ZpXv4Rb\"", 27, &out), 0, "another key");

	for (size_t i = 0; i < sizeof(noise); i++)
		noise[i] = "sk-ant-"[i % 7];
	n = secrets_redact(noise, sizeof(noise), &out);
	ok(n <= 1, "a long run of prefixes ends in time");
	buf_release(&out);
	return tap_done();
}
