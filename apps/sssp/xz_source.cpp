#include <lzma.h>

#include <new>
#include <vector>

#include "sssp/byte_source.hpp"
#include "sssp/graph_error.hpp"

namespace tasuki::sssp {
namespace {

class XzSource : public ByteSource {
 public:
  XzSource(std::unique_ptr<ByteSource> compressed, std::string file)
      : compressed_(std::move(compressed)), file_(std::move(file)), input_(input_bytes) {
    if (lzma_stream_decoder(&stream_, UINT64_MAX, LZMA_CONCATENATED) != LZMA_OK)
      throw std::bad_alloc();
  }
  ~XzSource() override { lzma_end(&stream_); }

  std::size_t read(std::span<char> bytes) override {
    stream_.next_out = reinterpret_cast<std::uint8_t*>(bytes.data());
    stream_.avail_out = bytes.size();
    while (!ended_ && stream_.avail_out == bytes.size()) {
      if (stream_.avail_in == 0 && !exhausted_) refill();
      const lzma_ret result = lzma_code(&stream_, exhausted_ ? LZMA_FINISH : LZMA_RUN);
      if (result == LZMA_STREAM_END) ended_ = true;
      if (result != LZMA_OK && result != LZMA_STREAM_END) fail(result);
    }
    return bytes.size() - stream_.avail_out;
  }

 private:
  static constexpr std::size_t input_bytes = std::size_t{1} << 16;

  void refill() {
    stream_.avail_in = compressed_->read(input_);
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(input_.data());
    exhausted_ = stream_.avail_in == 0;
  }

  [[noreturn]] void fail(lzma_ret result) const {
    if (result == LZMA_MEM_ERROR) throw std::bad_alloc();
    if (result == LZMA_BUF_ERROR)
      throw graph_error(file_, 0, "the .xz file is truncated", "get it again as a whole");
    if (result == LZMA_OPTIONS_ERROR)
      throw graph_error(file_, 0, "the .xz file uses a filter that this liblzma does not know",
                        "compress it again with plain xz");
    throw graph_error(
        file_, 0,
        result == LZMA_FORMAT_ERROR ? "it is not in the .xz format" : "the .xz file is damaged",
        "get it again, or drop .xz from its name if it is plain text");
  }

  std::unique_ptr<ByteSource> compressed_;
  std::string file_;
  std::vector<char> input_;
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool exhausted_ = false;  ///< Is there no more to decompress?
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> open_xz(std::unique_ptr<ByteSource> compressed,
                                    const std::string& file) {
  return std::make_unique<XzSource>(std::move(compressed), file);
}

}  // namespace tasuki::sssp
