// Records: the unit of work that travels between ranks. A message is a row of records; each names
// its handler by code address and carries what the handler reads.
//
// Layout, 8-byte aligned: one header word (size in words: 16 bits; flags: 8; offset of the handler
// in its module: 40), one more word with the module if the handler is not in the main program, then
// the payload.
//
// Thread-safety: values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace tasuki::runtime {

class World;

inline constexpr std::size_t record_word_bytes = 8;
inline constexpr std::uint64_t record_flag_module = 1;  ///< A module word follows the header.
inline constexpr std::uint64_t record_flag_large = 2;   ///< Alone in a bulk message; size unused.

constexpr std::size_t round_to_word(std::size_t bytes) { return (bytes + 7) & ~std::size_t{7}; }

struct RecordHeader {
  std::uint64_t word = 0;

  static RecordHeader make(std::size_t bytes, std::uint64_t flags, std::uint64_t offset) {
    return {bytes / record_word_bytes | flags << 16U | offset << 24U};
  }
  std::size_t bytes() const { return (word & 0xffffU) * record_word_bytes; }
  std::uint64_t flags() const { return word >> 16U & 0xffU; }
  std::uint64_t offset() const { return word >> 24U; }
};

/// Reads a record's payload in place. The memory stays valid only until the handler first blocks,
/// so handlers take everything they need before they run user code.
class Reader {
 public:
  Reader(const std::byte* begin, const std::byte* end) : cursor_(begin), end_(end) {}

  template <class T>
  T read() {
    static_assert(std::is_trivially_copy_constructible_v<T>);
    alignas(T) std::byte storage[sizeof(T)];
    std::memcpy(storage, cursor_, sizeof(T));
    cursor_ += sizeof(T);
    return *reinterpret_cast<T*>(storage);
  }
  void read_bytes(void* destination, std::size_t bytes) {
    std::memcpy(destination, cursor_, bytes);
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
    static_assert((std::is_trivially_copy_constructible_v<T> && ...));
    // Stored once: a compiler has to assume that what is written changes the writer itself.
    std::byte* at = cursor_;
    ((std::memcpy(at, &values, sizeof(T)), at += sizeof(T)), ...);
    cursor_ = at;
  }
  void write_bytes(const void* source, std::size_t bytes) {
    if (bytes != 0) std::memcpy(cursor_, source, bytes);
    cursor_ += bytes;
  }
  std::byte* at() const { return cursor_; }

 private:
  std::byte* cursor_;
};

/// What a record names: called by the poller with the sender's rank and the payload.
using Handler = void (*)(World& world, int source, Reader& reader);

}  // namespace tasuki::runtime
