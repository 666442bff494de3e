// Text put together without allocation, for a message that a signal handler prints.
//
// Used by the handlers of the fiber layer and of the runtime. What does not fit is cut off.
//
// Thread-safety: values. Everything is safe in a signal handler.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <tasuki/error.hpp>

namespace tasuki::base {

class FixedText {
 public:
  FixedText& operator<<(std::string_view text) noexcept {
    const std::size_t copied = std::min(text.size(), buffer_.size() - length_);
    std::memcpy(buffer_.data() + length_, text.data(), copied);
    length_ += copied;
    return *this;
  }
  FixedText& operator<<(std::size_t number) noexcept {
    std::array<char, 20> digits;
    const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    return *this << std::string_view(digits.data(),
                                     static_cast<std::size_t>(result.ptr - digits.data()));
  }
  FixedText& hex(std::uintptr_t number) noexcept {
    std::array<char, 16> digits;
    const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16);
    return *this << "0x"
                 << std::string_view(digits.data(),
                                     static_cast<std::size_t>(result.ptr - digits.data()));
  }
  /// How each message begins.
  FixedText& begin() noexcept {
    *this << "tasuki: ";
    if (const int rank = rank_for_messages(); rank >= 0) {
      *this << "rank " << static_cast<std::size_t>(rank) << ": ";
    }
    return *this;
  }
  std::string_view view() const noexcept { return {buffer_.data(), length_}; }
  void write_to_standard_error() const noexcept {
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, buffer_.data(), length_);
  }

 private:
  std::array<char, 2048> buffer_;
  std::size_t length_ = 0;
};

}  // namespace tasuki::base
