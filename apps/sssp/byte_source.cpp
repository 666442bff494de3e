#include "sssp/byte_source.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "sssp/graph_error.hpp"

namespace tasuki::sssp {
namespace {

class PlainSource : public ByteSource {
 public:
  explicit PlainSource(const std::string& file)
      : file_(file), stream_(std::fopen(file.c_str(), "rb")) {
    if (stream_ == nullptr) fail("open");
  }
  ~PlainSource() override { std::fclose(stream_); }

  std::size_t read(std::span<char> bytes) override {
    const std::size_t count = std::fread(bytes.data(), 1, bytes.size(), stream_);
    if (count == 0 && std::ferror(stream_) != 0) fail("read");
    return count;
  }

 private:
  [[noreturn]] void fail(const char* operation) const {
    throw graph_error(file_, 0, fmt::format("cannot {} it: {}", operation, std::strerror(errno)),
                      "name a graph file that rank 0 can read");
  }

  std::string file_;
  std::FILE* stream_;
};

}  // namespace

std::unique_ptr<ByteSource> open_plain(const std::string& file) {
  return std::make_unique<PlainSource>(file);
}

std::unique_ptr<ByteSource> open_file(const std::string& file) {
  std::unique_ptr<ByteSource> plain = open_plain(file);
  return file.ends_with(".xz") ? open_xz(std::move(plain), file) : std::move(plain);
}

}  // namespace tasuki::sssp
