#include "rpc/wire/block_sender.hpp"

#include <cstring>
#include <tasuki/detail/layout/converted_pieces.hpp>

namespace tasuki::rpc {

void BlockSender::add(std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  if (bytes.size() >= short_run_bytes) {
    push(bytes);
  } else {
    add_copy(bytes);
  }
}

void BlockSender::add_block(const layout::ArrayLayout& layout, int rank,
                            const layout::ArrayView& view, const std::byte* array) {
  if (auto pieces = layout::ConvertedPieces::find(layout, rank, view)) {
    return pieces->pack_each(array, [&](std::span<const std::byte> piece) {
      if (piece.size() <= run_buffer_bytes) return add_copy(piece);
      push(piece);
      flush();
    });
  }
  layout::RunCursor cursor(layout, rank, view);
  while (const auto run = cursor.next()) {
    add({array + run->array_offset_bytes, static_cast<std::size_t>(run->bytes)});
  }
}

void BlockSender::add_selected(const layout::ArrayLayout& layout, int rank,
                               const std::byte* block) {
  layout::RunCursor cursor(layout, rank, layout::contiguous_view(layout, layout.order()));
  while (const auto run = cursor.next()) {
    add({block + run->block_offset_bytes, static_cast<std::size_t>(run->bytes)});
  }
}

void BlockSender::flush() {
  send_pieces();
  used_bytes_ = 0;
}

void BlockSender::add_copy(std::span<const std::byte> bytes) {
  if (buffer_.empty()) buffer_.resize(run_buffer_bytes);
  if (used_bytes_ + bytes.size() > buffer_.size()) flush();
  std::byte* to = buffer_.data() + used_bytes_;
  std::memcpy(to, bytes.data(), bytes.size());
  used_bytes_ += bytes.size();
  if (is_buffer_last_) {
    pieces_[count_ - 1].iov_len += bytes.size();
  } else {
    push({to, bytes.size()});
    is_buffer_last_ = true;
  }
}

void BlockSender::push(std::span<const std::byte> bytes) {
  // Parts of the buffer that were pushed before stay where they are until all is sent.
  if (count_ == pieces_.size()) send_pieces();
  pieces_[count_++] = {const_cast<std::byte*>(bytes.data()), bytes.size()};
  is_buffer_last_ = false;
}

void BlockSender::send_pieces() {
  socket_.send(std::span(pieces_.data(), count_));
  count_ = 0;
  is_buffer_last_ = false;
}

}  // namespace tasuki::rpc
