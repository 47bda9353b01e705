# A Nix expression. It was not built: no Nix was at hand. nix-build packaging
{ pkgs ? import <nixpkgs> { } }:

pkgs.stdenv.mkDerivation {
  pname = "mem-memory";
  version = "0.1.0";
  src = ../.;
  buildInputs = [ pkgs.curl pkgs.jq pkgs.oniguruma pkgs.libstemmer pkgs.sqlite pkgs.zlib ];
  makeFlags = [ "PREFIX=$(out)" "MODELS=" "SQLITE=-lsqlite3" "STEMMER=-lstemmer" "ZLIB=-lz" ];
  enableParallelBuilding = true;
  doInstallCheck = true;
  installCheckPhase = ''
    export MEM_DB=$TMPDIR/mem.db
    $out/bin/mem-ingest tests/demo/conversation.ndjson >/dev/null
    $out/bin/mem-search -j 'what woke people up in the night?' | grep -q content
  '';
  meta = {
    description = "Long-term memory for people and language-model agents";
    license = pkgs.lib.licenses.mit;
    platforms = pkgs.lib.platforms.linux;
    mainProgram = "mem";
  };
}
