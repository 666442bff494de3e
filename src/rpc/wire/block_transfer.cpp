#include "rpc/wire/block_transfer.hpp"

#include <array>
#include <cstring>
#include <tasuki/detail/layout/run_cursor.hpp>
#include <vector>

namespace tasuki::rpc {
namespace {

/// A system call costs as much as the copy of some hundred bytes for each of its pieces.
constexpr std::int64_t short_run_bytes = 512;
constexpr std::size_t buffer_bytes = 256 << 10;
constexpr std::size_t pieces_count = 512;

/// Gives the block as lists of pieces: runs of the array, or parts of the buffer for short runs.
class BlockSender {
 public:
  BlockSender(Socket& socket, const std::byte* array) : socket_(socket), array_(array) {}

  void add(const layout::ByteRun& run) {
    const std::byte* from = array_ + run.array_offset_bytes;
    const auto bytes = static_cast<std::size_t>(run.bytes);
    if (run.bytes >= short_run_bytes) {
      push(from, bytes);
      return;
    }
    if (buffer_.empty()) buffer_.resize(buffer_bytes);
    if (used_bytes_ + bytes > buffer_bytes) flush();
    std::byte* to = buffer_.data() + used_bytes_;
    std::memcpy(to, from, bytes);
    used_bytes_ += bytes;
    if (is_buffer_last_) {
      pieces_[count_ - 1].iov_len += bytes;
    } else {
      push(to, bytes);
      is_buffer_last_ = true;
    }
  }

  void flush() {
    socket_.send(std::span(pieces_.data(), count_));
    count_ = used_bytes_ = 0;
    is_buffer_last_ = false;
  }

 private:
  void push(const std::byte* from, std::size_t bytes) {
    // Parts of the buffer that were pushed before stay where they are until all is sent.
    if (count_ == pieces_count) {
      socket_.send(std::span(pieces_.data(), count_));
      count_ = 0;
    }
    pieces_[count_++] = {const_cast<std::byte*>(from), bytes};
    is_buffer_last_ = false;
  }

  Socket& socket_;
  const std::byte* array_;
  std::array<iovec, pieces_count> pieces_{};
  std::size_t count_ = 0;
  std::vector<std::byte> buffer_;
  std::size_t used_bytes_ = 0;
  bool is_buffer_last_ = false;
};

/// Collects runs of the array; short ones are received into the buffer and copied from there.
class BlockReceiver {
 public:
  BlockReceiver(Socket& socket, std::byte* array) : socket_(socket), array_(array) {}

  void add(const layout::ByteRun& run) {
    const auto bytes = static_cast<std::size_t>(run.bytes);
    if (run.bytes >= short_run_bytes) {
      receive_short();
      if (count_ == pieces_count) receive_long();
      pieces_[count_++] = {array_ + run.array_offset_bytes, bytes};
      return;
    }
    receive_long();
    if (short_bytes_ + bytes > buffer_bytes) receive_short();
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
    buffer_.resize(buffer_bytes);
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
  std::array<iovec, pieces_count> pieces_{};
  std::size_t count_ = 0;
  std::vector<std::byte> buffer_;
  std::vector<layout::ByteRun> short_runs_;
  std::size_t short_bytes_ = 0;
};

}  // namespace

void send_block(Socket& socket, const layout::ArrayLayout& layout, int rank,
                const layout::ArrayView& view, const std::byte* array) {
  layout::RunCursor cursor(layout, rank, view);
  BlockSender sender(socket, array);
  while (const auto run = cursor.next()) sender.add(*run);
  sender.flush();
}

void receive_block(Socket& socket, const layout::ArrayLayout& layout, int rank,
                   const layout::ArrayView& view, std::byte* array) {
  layout::RunCursor cursor(layout, rank, view);
  BlockReceiver receiver(socket, array);
  while (const auto run = cursor.next()) receiver.add(*run);
  receiver.flush();
}

}  // namespace tasuki::rpc
