// Records: the unit of work that travels between ranks. A message is a row of records; each names
// its handler by code address and carries what the handler reads.
//
// Layout, 8-byte aligned: one header word (size in words: 27 bits; is a module word there: 1;
// offset of the handler in its module: 36), one more word with the module if the handler is not in
// the main program, then the payload.
//
// Thread-safety: values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tasuki/detail/base/trivially_copied.hpp>
#include <tasuki/detail/runtime/calls/code_address.hpp>

namespace tasuki::runtime {

struct Rank;

inline constexpr std::size_t record_word_bytes = 8;

constexpr std::size_t round_to_word(std::size_t bytes) { return (bytes + 7) & ~std::size_t{7}; }

struct RecordHeader {
  static constexpr unsigned size_bits = 27;
  static constexpr unsigned offset_bits = 64 - size_bits - 1;
  static constexpr std::uint64_t size_mask = (std::uint64_t{1} << size_bits) - 1;
  /// Longest record that a header can describe.
  static constexpr std::size_t most_bytes = size_mask * record_word_bytes;
  static_assert(std::uint64_t{1} << offset_bits == CodeAddress::offset_end);

  std::uint64_t word = 0;

  /// Requires: bytes <= most_bytes; offset < CodeAddress::offset_end.
  static RecordHeader make(std::size_t bytes, bool has_module, std::uint64_t offset) {
    return {bytes / record_word_bytes | std::uint64_t{has_module} << size_bits |
            offset << (size_bits + 1)};
  }
  std::size_t bytes() const { return (word & size_mask) * record_word_bytes; }
  bool has_module() const { return (word >> size_bits & 1U) != 0; }
  std::uint64_t offset() const { return word >> (size_bits + 1); }
};

/// Reads a record's payload in place. The memory stays valid only until the handler first blocks,
/// so handlers take everything they need before they run user code.
class Reader {
 public:
  Reader(const std::byte* begin, const std::byte* end) : cursor_(begin), end_(end) {}

  template <class T>
  T read() {
    static_assert(base::TriviallyCopied<T>);
    alignas(T) std::byte storage[sizeof(T)];
    std::memcpy(storage, cursor_, sizeof(T));
    cursor_ += sizeof(T);
    return *reinterpret_cast<T*>(storage);
  }
  void read_bytes(void* destination, std::size_t bytes) {
    if (bytes != 0) std::memcpy(destination, cursor_, bytes);
    cursor_ += bytes;
  }
  const std::byte* take(std::size_t bytes) {
    const std::byte* at = cursor_;
    cursor_ += bytes;
    return at;
  }
  std::size_t left_bytes() const { return static_cast<std::size_t>(end_ - cursor_); }

 private:
  const std::byte* cursor_;
  const std::byte* end_;
};

/// Writes a record's payload into room that is known to suffice.
class Writer {
 public:
  explicit Writer(std::byte* at) : cursor_(at) {}

  /// Writes the values one after the other.
  template <class... T>
  void write(const T&... values) {
    static_assert((base::TriviallyCopied<T> && ...));
    // Stored once: a compiler has to assume that what is written changes the writer itself.
    std::byte* at = cursor_;
    ((std::memcpy(at, &values, sizeof(T)), at += sizeof(T)), ...);
    cursor_ = at;
  }
  void write_bytes(const void* source, std::size_t bytes) {
    if (bytes != 0) std::memcpy(cursor_, source, bytes);
    cursor_ += bytes;
  }
  /// Leaves out so many. Returns: where they are.
  std::byte* skip(std::size_t bytes) {
    std::byte* const at = cursor_;
    cursor_ += bytes;
    return at;
  }
  std::byte* at() const { return cursor_; }

 private:
  std::byte* cursor_;
};

/// What a record names: called by the poller with the sender's rank and the payload.
using Handler = void (*)(Rank& self, int source, Reader& reader);

}  // namespace tasuki::runtime
