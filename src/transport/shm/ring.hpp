// A message ring from one writer to one reader over any zero-filled memory both can see.
//
// Used by the shm transport, one ring per ordered pair of ranks; tests run it between two threads.
// A message is an 8-byte header at the start of a 64-byte line and its payload behind it, so that
// one of up to 56 bytes is a single cache line: the header is also the flag that says it is there.
// The protocol and why it is correct: docs/design/shm-protocol.md.
// Thread-safety: one thread writes, one reads; nothing else is shared.
#pragma once

#include <tasuki/detail/base/assert.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace tasuki::transport::shm {

inline constexpr std::size_t line_bytes = 64;
inline constexpr std::size_t ring_header_bytes = 8;
inline constexpr std::size_t ring_min_bytes = 16 * 1024;  ///< So that a message may have 4 KiB.

/// What a message is; 0 in a header means that there is none yet.
enum class RingKind : std::uint8_t {
  none,
  skip,      ///< No message: the next one is at the start of the ring.
  message,   ///< For the layer above.
  bulk,      ///< Announces a bulk transfer (bulk.hpp).
  control,   ///< Acknowledges or asks for bulk transfers.
  fragment,  ///< A piece of a bulk transfer.
};

/// The first word of a message: payload size, kind, and a small number whose meaning is the kind's.
struct RingHeader {
  std::uint32_t bytes = 0;
  RingKind kind = RingKind::none;
  std::uint8_t slot = 0;

  std::uint64_t word() const noexcept {
    return bytes | std::uint64_t{static_cast<std::uint8_t>(kind)} << 32 | std::uint64_t{slot} << 40;
  }
  static RingHeader of(std::uint64_t word) noexcept {
    return {static_cast<std::uint32_t>(word), static_cast<RingKind>(word >> 32 & 0xff),
            static_cast<std::uint8_t>(word >> 40)};
  }
};

/// How far the reader has come, in bytes since the start; written by it. Two lines, because
/// processors fetch lines in pairs.
struct alignas(2 * line_bytes) RingConsumed {
  std::atomic<std::uint64_t> position;
};

/// Where a ring lies. Requires: `bytes` is a power of two, at least ring_min_bytes; `data` is
/// aligned to a line and zero when both ends start; `first_line` is the same at both ends.
struct RingMemory {
  std::byte* data = nullptr;
  std::size_t bytes = 0;
  RingConsumed* consumed = nullptr;
  std::uint64_t first_line = 0;  ///< Spreads the rings of a reader over its cache sets.

  /// Largest payload. With a quarter of the ring not yet given back and as much again lost to a
  /// skip, a message of a quarter still finds room in an idle ring.
  std::size_t payload_max_bytes() const noexcept { return bytes / 4; }
  std::uint64_t first_position() const noexcept { return first_line * line_bytes & (bytes - 1); }
  std::atomic_ref<std::uint64_t> header_at(std::uint64_t position) const noexcept {
    return std::atomic_ref<std::uint64_t>(
        *reinterpret_cast<std::uint64_t*>(data + (position & (bytes - 1))));
  }
};

/// Bytes of ring that a payload of `bytes` takes: whole lines.
constexpr std::size_t ring_lines_bytes(std::size_t bytes) noexcept {
  return (ring_header_bytes + bytes + line_bytes - 1) & ~(line_bytes - 1);
}

/// The writing end.
///
/// Invariant: the header words of all free lines are zero, so that the reader never takes stale
/// payload for a message. It holds because the reader clears what it has consumed, and a slot is
/// written only as far as it is sent: clearing here what was not sent would fetch the next line,
/// which the reader is polling, before each message.
class RingWriter {
 public:
  RingWriter() = default;
  explicit RingWriter(const RingMemory& memory) noexcept
      : memory_(memory), tail_(memory.first_position()), consumed_(tail_) {}

  bool open() const noexcept { return open_bytes_ != 0; }
  /// Did the last `acquire` find no room?
  bool starved() const noexcept { return starved_; }

  /// Room for a payload of `bytes`, or nullptr. Requires: no slot is open;
  /// bytes <= payload_max_bytes().
  std::byte* acquire(std::size_t bytes) noexcept {
    TASUKI_DEBUG_ASSERT(!open());
    TASUKI_DEBUG_ASSERT(bytes <= memory_.payload_max_bytes());
    const std::size_t lines = ring_lines_bytes(bytes);
    const std::uint64_t offset = tail_ & (memory_.bytes - 1);
    if (offset + lines > memory_.bytes) [[unlikely]] {
      if (!skip_to_start(lines)) return nullptr;
    } else if (!has_room(lines)) [[unlikely]] {
      return nullptr;
    }
    open_bytes_ = lines;
    return memory_.data + (tail_ & (memory_.bytes - 1)) + ring_header_bytes;
  }

  /// Publishes the first `header.bytes` of the open slot as a message.
  /// Requires: nothing behind them was written.
  void commit(RingHeader header) noexcept {
    TASUKI_DEBUG_ASSERT(open() && ring_lines_bytes(header.bytes) <= open_bytes_);
    const std::uint64_t begin = tail_;
    TASUKI_DEBUG_ASSERT(is_clear(begin + ring_lines_bytes(header.bytes), begin + open_bytes_));
    open_bytes_ = 0;
    tail_ += ring_lines_bytes(header.bytes);
    // Release: who sees this header sees the payload.
    memory_.header_at(begin).store(header.word(), std::memory_order_release);
  }

  /// Gives the open slot back unsent. Requires: nothing was written to it.
  void cancel() noexcept {
    TASUKI_DEBUG_ASSERT(open() && is_clear(tail_, tail_ + open_bytes_));
    open_bytes_ = 0;
  }

  /// Has the reader given back room since the last `acquire` asked? For a rank about to sleep.
  bool reader_advanced() const noexcept {
    return memory_.consumed->position.load(std::memory_order_acquire) != consumed_;
  }

 private:
  /// Are the header words of the lines in between zero, as those of free lines must be?
  bool is_clear(std::uint64_t begin, std::uint64_t end) const noexcept {
    for (; begin < end; begin += line_bytes) {
      if (memory_.header_at(begin).load(std::memory_order_relaxed) != 0) return false;
    }
    return true;
  }

  bool has_room(std::size_t lines) noexcept {
    const std::uint64_t end = tail_ + lines;
    if (end - consumed_ > memory_.bytes) [[unlikely]] {
      // Acquire: the reader is done with the lines that it gives back, and has cleared them.
      consumed_ = memory_.consumed->position.load(std::memory_order_acquire);
      starved_ = end - consumed_ > memory_.bytes;
      return !starved_;
    }
    starved_ = false;
    return true;
  }

  /// Leaves the rest of the ring unused, for a message that has to begin at its start.
  bool skip_to_start(std::size_t lines) noexcept {
    const std::uint64_t start = (tail_ | (memory_.bytes - 1)) + 1;
    if (!has_room(start - tail_ + lines)) return false;
    const std::uint64_t begin = std::exchange(tail_, start);
    memory_.header_at(begin).store(RingHeader{0, RingKind::skip, 0}.word(),
                                   std::memory_order_release);
    return true;
  }

  RingMemory memory_;
  std::uint64_t tail_ = 0;      ///< Where the next message begins.
  std::uint64_t consumed_ = 0;  ///< What the reader was last seen to have given back.
  std::size_t open_bytes_ = 0;  ///< Size of the acquired slot with its header; 0: none.
  bool starved_ = false;
};

/// The reading end.
class RingReader {
 public:
  RingReader() = default;
  explicit RingReader(const RingMemory& memory) noexcept
      : memory_(memory), head_(memory.first_position()), given_back_(head_) {
    find_next();
  }

  /// Is there something to `peek` at? May say yes for a mere skip.
  bool arrived() const noexcept {
    // Acquire: pairs with the release in RingWriter::commit; what was written before is seen.
    return std::atomic_ref<std::uint64_t>(*next_).load(std::memory_order_acquire) != 0;
  }

  /// The next message's header; kind `none` if there is none. `payload` is then valid.
  RingHeader peek() noexcept {
    std::uint64_t word = std::atomic_ref<std::uint64_t>(*next_).load(std::memory_order_acquire);
    if (RingHeader::of(word).kind == RingKind::skip) [[unlikely]] {
      clear_headers(line_bytes);
      head_ = (head_ | (memory_.bytes - 1)) + 1;
      find_next();
      word = std::atomic_ref<std::uint64_t>(*next_).load(std::memory_order_acquire);
    }
    return RingHeader::of(word);
  }

  std::byte* payload() const noexcept { return reinterpret_cast<std::byte*>(next_ + 1); }

  /// Done with the message of `bytes` that `peek` gave.
  /// Returns: has room been given back to the writer, who may be asleep waiting for it?
  bool release(std::size_t bytes) noexcept {
    const std::size_t lines = ring_lines_bytes(bytes);
    clear_headers(lines);
    head_ += lines;
    find_next();
    if (head_ - given_back_ < memory_.bytes / 4) [[likely]]
      return false;
    given_back_ = head_;
    // Release: all reading of the lines is done before the writer may write them again.
    memory_.consumed->position.store(head_, std::memory_order_release);
    return true;
  }

 private:
  /// Makes the lines of the message free ones: nothing in them looks like a header.
  void clear_headers(std::size_t lines) noexcept {
    std::uint64_t* word = next_;
    for (std::uint64_t* const end = word + lines / ring_header_bytes; word != end;
         word += line_bytes / ring_header_bytes) {
      std::atomic_ref<std::uint64_t>(*word).store(0, std::memory_order_relaxed);
    }
  }
  void find_next() noexcept {
    next_ = reinterpret_cast<std::uint64_t*>(memory_.data + (head_ & (memory_.bytes - 1)));
  }

  std::uint64_t* next_ = nullptr;  ///< Header word of the next message: all that polling reads.
  RingMemory memory_;
  std::uint64_t head_ = 0;        ///< Where the next message begins.
  std::uint64_t given_back_ = 0;  ///< What the writer has been told.
};

}  // namespace tasuki::transport::shm
