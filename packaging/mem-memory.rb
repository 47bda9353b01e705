# A Homebrew formula. It was not built: no Homebrew was at hand. 'ruby -c' finds no fault.
# "url" and "sha256" are those of the archive that 'make dist' makes, wherever it is published.
class MemMemory < Formula
  desc "Long-term memory for people and language-model agents"
  homepage "https://example.org/mem"
  url "https://example.org/mem-0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on "make" => :build
  depends_on "jq"
  depends_on "snowball"
  depends_on "sqlite"
  uses_from_macos "curl"
  uses_from_macos "zlib"

  def install
    system "gmake", "install", "PREFIX=#{prefix}", "MODELS=", "LIBRARY=",
           "CPPFLAGS=-I#{Formula["jq"].include} -I#{Formula["sqlite"].include} -I#{Formula["snowball"].include}",
           "LDFLAGS=-L#{Formula["jq"].lib} -L#{Formula["sqlite"].lib} -L#{Formula["snowball"].lib}"
  end

  test do
    ENV["MEM_DB"] = testpath/"mem.db"
    pipe_output("#{bin}/mem-ingest -", '{"session":"s","role":"user","content":"The gauge is at the weir."}')
    assert_match "weir", shell_output("#{bin}/mem-search -j 'where is the gauge'")
  end
end
