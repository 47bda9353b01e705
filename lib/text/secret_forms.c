/*
 * secret_forms.c: what secrets look like. The forms are as their issuers document them; lengths
 * have a margin where issuers have changed them.
 */
#include "text/secret_forms.h"

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

/* Sorted by first letter; where one prefix begins another, the longer one comes first. */
const struct secret_form secret_forms[] = {
	{ "1//0", "google-token", URLSAFE, 40, 200, 3.5 },
	{ "AGE-SECRET-KEY-1", "age-key", UPPER | DIGIT, 58, 58, 3.0 },
	{ "ATATT3", "atlassian-token", URLSAFE | BASE64, 60, NO_MAX, 3.0 },
	{ "ATBB", "bitbucket-password", ALNUM, 30, 40, 3.5 },
	{ "ATCTT3", "atlassian-token", URLSAFE | BASE64, 60, NO_MAX, 3.0 },
	{ "AKCp", "artifactory-key", ALNUM, 60, 80, 3.5 },
	{ "AIza", "google-key", URLSAFE, 35, 35, 3.0 },
	{ "AKIA", "aws-key", UPPER | DIGIT, 16, 16, 2.5 },
	{ "ASIA", "aws-key", UPPER | DIGIT, 16, 16, 2.5 },
	{ "CFPAT-", "contentful-token", URLSAFE, 40, 50, 3.0 },
	{ "csk-", "cerebras-key", LOWER | DIGIT, 40, 60, 3.0 },
	{ "dckr_oat_", "docker-token", URLSAFE, 24, 40, 3.0 },
	{ "dckr_pat_", "docker-token", URLSAFE, 24, 40, 3.0 },
	{ "doo_v1_", "digitalocean-token", HEX, 64, 64, 2.8 },
	{ "dop_v1_", "digitalocean-token", HEX, 64, 64, 2.8 },
	{ "dor_v1_", "digitalocean-token", HEX, 64, 64, 2.8 },
	{ "dp.pt.", "doppler-token", ALNUM, 40, 44, 3.0 },
	{ "dapi", "databricks-token", HEX, 32, 32, 2.8 },
	{ "dt0c01.", "dynatrace-token", UPPER | DIGIT | DOT, 80, 100, 3.0 },
	{ "EAAA", "square-token", URLSAFE, 60, 60, 3.0 },
	{ "EAA", "facebook-token", ALNUM, 90, NO_MAX, 3.5 },
	{ "e2b_", "e2b-key", HEX, 40, 40, 2.8 },
	{ "fm1a_", "fly-token", ALNUM | BASE64, 60, 2000, 3.0 },
	{ "fm1r_", "fly-token", ALNUM | BASE64, 60, 2000, 3.0 },
	{ "fm2_", "fly-token", ALNUM | BASE64, 60, 2000, 3.0 },
	{ "figd_", "figma-token", URLSAFE, 40, 64, 3.0 },
	{ "GOCSPX-", "google-secret", URLSAFE, 24, 40, 3.0 },
	{ "github_pat_", "github-token", ALNUM | DASH, 36, 255, 3.0 },
	{ "glpat-", "gitlab-token", URLSAFE | DOT, 20, 300, 3.0 },
	{ "glptt-", "gitlab-token", HEX, 40, 40, 2.8 },
	{ "gldt-", "gitlab-token", URLSAFE, 20, 64, 3.0 },
	{ "glrt-", "gitlab-token", URLSAFE, 20, 64, 3.0 },
	{ "glsa_", "grafana-token", ALNUM | DASH, 32, 64, 3.0 },
	{ "gho_", "github-token", ALNUM, 36, 255, 3.0 },
	{ "ghp_", "github-token", ALNUM, 36, 255, 3.0 },
	{ "ghr_", "github-token", ALNUM, 36, 255, 3.0 },
	{ "ghs_", "github-token", ALNUM, 36, 255, 3.0 },
	{ "ghu_", "github-token", ALNUM, 36, 255, 3.0 },
	{ "glc_", "grafana-token", ALNUM | BASE64, 40, NO_MAX, 3.0 },
	{ "glagent-", "gitlab-token", URLSAFE, 20, 64, 3.0 },
	{ "glsoat-", "gitlab-token", URLSAFE, 20, 64, 3.0 },
	{ "glcbt-", "gitlab-token", URLSAFE, 20, 80, 3.0 },
	{ "glft-", "gitlab-token", URLSAFE, 20, 64, 3.0 },
	{ "gsk_", "groq-key", ALNUM, 40, 64, 3.0 },
	{ "HRKU-", "heroku-key", URLSAFE, 36, 80, 2.8 },
	{ "hvb.", "vault-token", URLSAFE, 24, 300, 3.0 },
	{ "hvs.", "vault-token", URLSAFE, 24, 200, 3.0 },
	{ "hf_", "huggingface-token", ALNUM, 30, 40, 3.0 },
	{ "jina_", "jina-key", ALNUM | DASH, 50, 80, 3.0 },
	{ "key-", "mailgun-key", HEX, 32, 32, 2.8 },
	{ "lin_api_", "linear-key", ALNUM, 36, 64, 3.0 },
	{ "lsv2_", "langsmith-key", ALNUM | DASH, 40, 64, 2.8 },
	{ "NRAK-", "newrelic-key", UPPER | DIGIT, 27, 27, 3.0 },
	{ "nvapi-", "nvidia-key", URLSAFE, 50, 80, 3.0 },
	{ "npm_", "npm-token", ALNUM, 36, 36, 3.0 },
	{ "ntn_", "notion-token", ALNUM, 40, 64, 3.0 },
	{ "nfp_", "netlify-token", ALNUM, 36, 64, 3.0 },
	{ "PMAK-", "postman-key", LOWER | DIGIT | DASH, 50, 64, 2.8 },
	{ "phx_", "posthog-key", ALNUM, 40, 64, 3.0 },
	{ "pul-", "pulumi-token", HEX, 40, 40, 2.8 },
	{ "pscale_pw_", "planetscale-token", URLSAFE | DOT, 32, 64, 3.0 },
	{ "pscale_tkn_", "planetscale-token", URLSAFE | DOT, 32, 64, 3.0 },
	{ "pypi-AgE", "pypi-token", URLSAFE, 50, NO_MAX, 3.0 },
	{ "pcsk_", "pinecone-key", ALNUM | DASH, 40, 100, 3.0 },
	{ "pplx-", "perplexity-key", ALNUM, 40, 64, 3.0 },
	{ "rubygems_", "rubygems-key", HEX, 48, 48, 2.8 },
	{ "rk_live_", "stripe-key", ALNUM, 16, 255, 3.0 },
	{ "rk_test_", "stripe-key", ALNUM, 16, 255, 3.0 },
	{ "r8_", "replicate-token", ALNUM, 37, 40, 3.0 },
	{ "rpa_", "runpod-key", ALNUM, 36, 64, 3.0 },
	{ "SG.", "sendgrid-key", URLSAFE | DOT, 60, 72, 3.5 },
	{ "SK", "twilio-key", HEX, 32, 32, 2.8 },
	{ "sk-svcacct-", "openai-key", URLSAFE, 20, 255, 3.0 },
	{ "sk-admin-", "openai-key", URLSAFE, 20, 255, 3.0 },
	{ "sk-or-v1-", "openrouter-key", HEX, 64, 64, 2.8 },
	{ "sk-proj-", "openai-key", URLSAFE, 20, 255, 3.0 },
	{ "sk_live_", "stripe-key", ALNUM, 16, 255, 3.0 },
	{ "sk_test_", "stripe-key", ALNUM, 16, 255, 3.0 },
	{ "secret_", "notion-token", ALNUM, 43, 43, 3.5 },
	{ "sk-ant-", "anthropic-key", URLSAFE, 20, 255, 3.0 },
	{ "sq0atp-", "square-token", URLSAFE, 22, 22, 3.0 },
	{ "sq0csp-", "square-token", URLSAFE, 40, 46, 3.0 },
	{ "shpat_", "shopify-token", HEX, 32, 32, 2.8 },
	{ "shpca_", "shopify-token", HEX, 32, 32, 2.8 },
	{ "shpss_", "shopify-token", HEX, 32, 32, 2.8 },
	{ "sbp_", "supabase-key", HEX, 40, 40, 2.8 },
	{ "sk-lf-", "langfuse-key", HEX | DASH, 36, 36, 2.8 },
	{ "sgp_", "sourcegraph-token", HEX | DASH, 40, 64, 2.8 },
	{ "sntrys_", "sentry-token", ALNUM | DASH | BASE64, 60, NO_MAX, 3.0 },
	{ "sntryu_", "sentry-token", HEX, 64, 64, 2.8 },
	{ "sk-", "openai-key", ALNUM, 32, 64, 3.0 },
	{ "tvly-", "tavily-key", URLSAFE, 28, 64, 3.0 },
	{ "vercel_blob_rw_", "vercel-token", ALNUM | DASH, 28, 80, 3.0 },
	{ "vcp_", "vercel-token", ALNUM, 40, 80, 3.0 },
	{ "waka_", "wakatime-key", HEX | DASH, 36, 36, 2.8 },
	{ "whsec_", "stripe-key", ALNUM | BASE64, 24, 100, 3.0 },
	{ "xapp-", "slack-token", ALNUM | DASH, 20, 255, 2.5 },
	{ "xoxa-", "slack-token", ALNUM | DASH, 20, 255, 2.5 },
	{ "xoxb-", "slack-token", ALNUM | DASH, 20, 255, 2.5 },
	{ "xoxe.", "slack-token", URLSAFE | DOT, 30, 300, 2.5 },
	{ "xoxp-", "slack-token", ALNUM | DASH, 20, 255, 2.5 },
	{ "xoxr-", "slack-token", ALNUM | DASH, 20, 255, 2.5 },
	{ "xoxs-", "slack-token", ALNUM | DASH, 20, 255, 2.5 },
	{ "xkeysib-", "brevo-key", LOWER | DIGIT | DASH, 70, 90, 3.0 },
	{ "xai-", "xai-key", ALNUM, 60, 100, 3.0 },
	{ "ya29.", "google-token", URLSAFE, 30, 1024, 3.0 },
};

const size_t secret_n_forms = NELEM(secret_forms);

/* Addresses that are secrets themselves, because whoever has one can post. */
const struct secret_form secret_webhooks[] = {
	{ "hooks.slack.com/services/", "slack-webhook", ALNUM | BASE64, 30, 100, 3.0 },
	{ "discord.com/api/webhooks/", "discord-webhook", URLSAFE | BASE64, 60, 120, 3.0 },
	{ "discordapp.com/api/webhooks/", "discord-webhook", URLSAFE | BASE64, 60, 120, 3.0 },
};

const size_t secret_n_webhooks = NELEM(secret_webhooks);

/* Ends of names, without _ and -, that announce a secret value. */
#define NAME(text) { sizeof(text) - 1, text }

const struct secret_name secret_key_names[] = {
	NAME("apikey"),
	NAME("secretkey"),
	NAME("accesskey"),
	NAME("privatekey"),
	NAME("authkey"),
	NAME("accountkey"),
	NAME("encryptionkey"),
	NAME("signingkey"),
	NAME("masterkey"),
	NAME("licensekey"),
	NAME("secret"),
	NAME("token"),
	NAME("apitoken"),
	NAME("credential"),
	NAME("credentials"),
	NAME("secretkeybase"),
	NAME("sharedaccesskey"),
	NAME("clientkeydata"),
	{ 0, NULL },
};
const struct secret_name secret_password_names[] = {
	NAME("password"), NAME("passwd"), NAME("passphrase"), NAME("pwd"), NAME("pass"),
	NAME("passwort"), NAME("kennwort"), NAME("passcode"), NAME("senha"),
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
