#include "rpc/wire/byte_order.hpp"

#include <cstdint>

namespace tasuki::rpc {
namespace {

/// The compiler makes vector instructions of it.
template <class Bits, class Swapped>
void swap_all(std::span<std::byte> words, Swapped swapped) noexcept {
  for (std::size_t i = 0; i < words.size(); i += sizeof(Bits)) {
    Bits value;
    std::memcpy(&value, words.data() + i, sizeof value);
    value = swapped(value);
    std::memcpy(words.data() + i, &value, sizeof value);
  }
}

}  // namespace

void swap_byte_order(Number number, std::span<std::byte> numbers) noexcept {
  switch (word_bytes_of(number)) {
    case 2:
      return swap_all<std::uint16_t>(numbers, [](auto word) { return __builtin_bswap16(word); });
    case 4:
      return swap_all<std::uint32_t>(numbers, [](auto word) { return __builtin_bswap32(word); });
    case 8:
      return swap_all<std::uint64_t>(numbers, [](auto word) { return __builtin_bswap64(word); });
    default:
      return;
  }
}

}  // namespace tasuki::rpc
