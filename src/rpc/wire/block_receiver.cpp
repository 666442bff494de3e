#include "rpc/wire/block_receiver.hpp"

#include <array>
#include <cstring>
#include <span>
#include <tasuki/detail/layout/run_cursor.hpp>
#include <vector>

#include "rpc/wire/short_run.hpp"

namespace tasuki::rpc {
namespace {

constexpr std::size_t pieces_most = 512;

/// Collects runs of the array; short ones are received into the buffer and copied from there.
class BlockReceiver {
 public:
  BlockReceiver(Socket& socket, std::byte* array) : socket_(socket), array_(array) {}

  void add(const layout::ByteRun& run) {
    const auto bytes = static_cast<std::size_t>(run.bytes);
    if (bytes >= short_run_bytes) {
      receive_short();
      if (count_ == pieces_most) receive_long();
      pieces_[count_++] = {array_ + run.array_offset_bytes, bytes};
      return;
    }
    receive_long();
    if (short_bytes_ + bytes > run_buffer_bytes) receive_short();
    short_runs_.push_back(run);
    short_bytes_ += bytes;
  }

  void flush() {
    receive_long();
    receive_short();
  }

 private:
  void receive_long() {
    if (count_ == 0) return;
    socket_.receive(std::span(pieces_.data(), count_));
    count_ = 0;
  }

  void receive_short() {
    if (short_runs_.empty()) return;
    buffer_.resize(run_buffer_bytes);
    socket_.receive(buffer_.data(), short_bytes_);
    const std::byte* from = buffer_.data();
    for (const layout::ByteRun& run : short_runs_) {
      std::memcpy(array_ + run.array_offset_bytes, from, static_cast<std::size_t>(run.bytes));
      from += run.bytes;
    }
    short_runs_.clear();
    short_bytes_ = 0;
  }

  Socket& socket_;
  std::byte* array_;
  std::array<iovec, pieces_most> pieces_;
  std::size_t count_ = 0;
  std::vector<std::byte> buffer_;
  std::vector<layout::ByteRun> short_runs_;
  std::size_t short_bytes_ = 0;
};

}  // namespace

void receive_block(Socket& socket, const layout::ArrayLayout& layout, int rank,
                   const layout::ArrayView& view, std::byte* array) {
  layout::RunCursor cursor(layout, rank, view);
  BlockReceiver receiver(socket, array);
  while (const auto run = cursor.next()) receiver.add(*run);
  receiver.flush();
}

}  // namespace tasuki::rpc
