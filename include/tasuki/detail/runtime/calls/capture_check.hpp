// Refuses to send a function object that captures the address of a variable on the caller's stack,
// which is what [&] captures.
//
// C++ does not tell what a lambda captures, so its words are checked when it is sent: one that is
// the address of a variable in a frame of the running code is refused. Global pointers keep their
// address in another form and pass. Called by `Call`, and by containers, whose calls carry
// functions.
//
// Thread-safety: the rank's own thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <tasuki/sendable.hpp>
#include <type_traits>

namespace tasuki::runtime {

#if defined(__has_builtin) && __has_builtin(__builtin_clear_padding)
inline constexpr bool can_tell_padding = true;
template <class F>
void clear_padding(void* object) noexcept {
  __builtin_clear_padding(static_cast<F*>(object));
}
#else
inline constexpr bool can_tell_padding = false;
template <class F>
void clear_padding(void*) noexcept {}
#endif

/// Can there be a reference among the captures? Where the compiler cannot tell the bytes between
/// them (Clang 16), only captures without such bytes are checked.
template <class F>
inline constexpr bool may_capture_address =
    !PointerToCode<F> && alignof(F) >= alignof(std::uintptr_t) && !std::is_empty_v<F> &&
    (can_tell_padding || std::has_unique_object_representations_v<F>);

template <class F>
using WordsOf = std::array<std::uintptr_t, sizeof(F) / sizeof(std::uintptr_t)>;

/// Ones where an F has values: the bytes between them hold what was on the stack before, which may
/// be an address of it.
template <class F>
WordsOf<F> value_bits() noexcept {
  alignas(F) WordsOf<F> words;
  words.fill(~std::uintptr_t{0});
  clear_padding<F>(words.data());
  return words;
}
/// Made once: bytes that were just cleared one by one would be waited for when words are read.
template <class F>
inline const WordsOf<F> value_bits_of = value_bits<F>();

/// Is one of the words the address of a variable in a frame?
[[gnu::cold]] bool has_frame_address(const Rank& self, std::span<const std::uintptr_t> words);

/// Does `f` capture an address on the stack of the running fiber, or on the one that the program
/// began on? Takes up to 2 ns (bench/runtime/captures.cpp), and nothing if nothing is captured.
template <class F>
bool captures_frame_address(const Rank& self, const F& f) {
  if constexpr (may_capture_address<F>) {
    WordsOf<F> words;
    std::memcpy(words.data(), &f, sizeof words);
    const fiber::Scheduler& scheduler = self.waits.scheduler();
    bool is_suspicious = false;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if constexpr (!std::has_unique_object_representations_v<F>) words[i] &= value_bits_of<F>[i];
      is_suspicious |= scheduler.is_near_frames(words[i]);
    }
    if (is_suspicious) [[unlikely]]
      return has_frame_address(self, words);
  }
  return false;
}

/// Throws tasuki::error: the function object captures such an address. `function` names it.
[[noreturn, gnu::cold]] void refuse_captures(const char* operation, const std::string& function);
[[noreturn, gnu::cold]] void refuse_captures(const char* operation, Handler handler);

/// Throws tasuki::error if `f` captures such an address. `handler`, which is the one that calls an
/// F, names it.
template <class F>
void check_captures(const Rank& self, const F& f, const char* operation, Handler handler) {
  if (captures_frame_address(self, f)) [[unlikely]]
    refuse_captures(operation, handler);
}

}  // namespace tasuki::runtime
