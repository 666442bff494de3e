#include "rpc/wire/block_receiver.hpp"

#include <array>
#include <cstring>
#include <span>
#include <tasuki/detail/layout/converted_pieces.hpp>
#include <tasuki/detail/layout/run_cursor.hpp>
#include <vector>

#include "rpc/wire/short_run.hpp"

namespace tasuki::rpc {
namespace {

constexpr std::size_t pieces_most = 512;

/// Where bytes go that are received next.
struct Target {
  std::byte* memory;
  std::size_t bytes;
};

/// Collects targets; short ones are received into the buffer and copied from there.
class BlockReceiver {
 public:
  explicit BlockReceiver(Socket& socket) : socket_(socket) {}

  void add(const Target& target) {
    if (target.bytes >= short_run_bytes) {
      receive_short();
      if (count_ == pieces_most) receive_long();
      pieces_[count_++] = {target.memory, target.bytes};
      return;
    }
    receive_long();
    if (short_bytes_ + target.bytes > run_buffer_bytes) receive_short();
    short_targets_.push_back(target);
    short_bytes_ += target.bytes;
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
    if (short_targets_.empty()) return;
    buffer_.resize(run_buffer_bytes);
    socket_.receive(buffer_.data(), short_bytes_);
    const std::byte* from = buffer_.data();
    for (const Target& one : short_targets_) {
      std::memcpy(one.memory, from, one.bytes);
      from += one.bytes;
    }
    short_targets_.clear();
    short_bytes_ = 0;
  }

  Socket& socket_;
  std::array<iovec, pieces_most> pieces_;
  std::size_t count_ = 0;
  std::vector<std::byte> buffer_;
  std::vector<Target> short_targets_;
  std::size_t short_bytes_ = 0;
};

}  // namespace

void receive_block(Socket& socket, const layout::ArrayLayout& layout, int rank,
                   const layout::ArrayView& view, std::byte* array) {
  if (auto pieces = layout::ConvertedPieces::find(layout, rank, view)) {
    return pieces->unpack_each(
        array, [&](std::span<std::byte> piece) { socket.receive(piece.data(), piece.size()); });
  }
  layout::RunCursor cursor(layout, rank, view);
  BlockReceiver receiver(socket);
  while (const auto run = cursor.next()) {
    receiver.add({array + run->array_offset_bytes, static_cast<std::size_t>(run->bytes)});
  }
  receiver.flush();
}

void receive_selected(Socket& socket, const layout::ArrayLayout& layout, int rank,
                      std::byte* block) {
  layout::RunCursor cursor(layout, rank, layout::contiguous_view(layout, layout.order()));
  BlockReceiver receiver(socket);
  while (const auto run = cursor.next()) {
    receiver.add({block + run->block_offset_bytes, static_cast<std::size_t>(run->bytes)});
  }
  receiver.flush();
}

}  // namespace tasuki::rpc
