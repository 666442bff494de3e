#include "rpc/wire/xdr.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <tasuki/error.hpp>
#include <utility>

#include "rpc/wire/short_run.hpp"

namespace tasuki::rpc {
namespace {

/// In the other byte order, if this machine's is not that of the wire.
template <class Bits>
Bits swapped(Bits value) noexcept {
  if constexpr (std::endian::native == std::endian::big) return value;
  if constexpr (sizeof(Bits) == 8) {
    return __builtin_bswap64(value);
  } else {
    return __builtin_bswap32(value);
  }
}

/// Converts as many words as there are: the compiler makes vector instructions of it.
template <class Bits>
void swap_all(const std::byte* from, std::byte* to, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    Bits value;
    std::memcpy(&value, from + i * sizeof value, sizeof value);
    value = swapped(value);
    std::memcpy(to + i * sizeof value, &value, sizeof value);
  }
}

template <class Type>
void widen(std::span<const std::byte> from, std::byte* to) noexcept {
  for (std::size_t i = 0; i < from.size() / sizeof(Type); ++i) {
    Type value;
    std::memcpy(&value, from.data() + i * sizeof value, sizeof value);
    const auto wide = swapped(static_cast<std::uint32_t>(std::int32_t{value}));
    std::memcpy(to + i * sizeof wide, &wide, sizeof wide);
  }
}

template <class Type>
void narrow(const std::byte* from, std::span<std::byte> to) {
  for (std::size_t i = 0; i < to.size() / sizeof(Type); ++i) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, from + i * sizeof bits, sizeof bits);
    const auto wide = static_cast<std::int32_t>(swapped(bits));
    if (!std::in_range<Type>(wide)) {
      throw error("decode XDR", "a number is beyond its type",
                  "let server and client use versions of Tasuki that know each other");
    }
    const auto value = static_cast<Type>(wide);
    std::memcpy(to.data() + i * sizeof value, &value, sizeof value);
  }
}

}  // namespace

std::size_t xdr_bytes_of(Number number) noexcept {
  return std::max<std::size_t>(4, bytes_of(number));
}

void encode_xdr(Number number, std::span<const std::byte> from, std::byte* to) {
  switch (number) {
    case Number::int8:
      return widen<std::int8_t>(from, to);
    case Number::uint8:
      return widen<std::uint8_t>(from, to);
    case Number::int16:
      return widen<std::int16_t>(from, to);
    case Number::uint16:
      return widen<std::uint16_t>(from, to);
    default:
      break;
  }
  if (word_bytes_of(number) == 8) {
    swap_all<std::uint64_t>(from.data(), to, from.size() / 8);
  } else {
    swap_all<std::uint32_t>(from.data(), to, from.size() / 4);
  }
}

void decode_xdr(Number number, const std::byte* from, std::span<std::byte> to) {
  switch (number) {
    case Number::int8:
      return narrow<std::int8_t>(from, to);
    case Number::uint8:
      return narrow<std::uint8_t>(from, to);
    case Number::int16:
      return narrow<std::int16_t>(from, to);
    case Number::uint16:
      return narrow<std::uint16_t>(from, to);
    default:
      break;
  }
  if (word_bytes_of(number) == 8) {
    swap_all<std::uint64_t>(from, to.data(), to.size() / 8);
  } else {
    swap_all<std::uint32_t>(from, to.data(), to.size() / 4);
  }
}

void XdrSender::add(Number number, std::span<const std::byte> numbers) {
  if (buffer_.empty()) buffer_.resize(run_buffer_bytes);
  const std::size_t wide_bytes = xdr_bytes_of(number);
  while (!numbers.empty()) {
    if (buffer_.size() - used_bytes_ < wide_bytes) flush();
    const std::size_t room = (buffer_.size() - used_bytes_) / wide_bytes;
    const std::size_t count = std::min(room, numbers.size() / bytes_of(number));
    encode_xdr(number, numbers.first(count * bytes_of(number)), buffer_.data() + used_bytes_);
    used_bytes_ += count * wide_bytes;
    numbers = numbers.subspan(count * bytes_of(number));
  }
}

void XdrSender::flush() {
  socket_.send(buffer_.data(), used_bytes_);
  used_bytes_ = 0;
}

void XdrReceiver::receive(Number number, std::span<std::byte> numbers) {
  if (buffer_.empty()) buffer_.resize(run_buffer_bytes);
  const std::size_t wide_bytes = xdr_bytes_of(number);
  const std::size_t part_bytes = buffer_.size() / wide_bytes * bytes_of(number);
  while (!numbers.empty()) {
    const auto part = numbers.first(std::min(part_bytes, numbers.size()));
    socket_.receive(buffer_.data(), part.size() / bytes_of(number) * wide_bytes);
    decode_xdr(number, buffer_.data(), part);
    numbers = numbers.subspan(part.size());
  }
}

}  // namespace tasuki::rpc
