// Contexts: the saved registers of code that does not run, and the jump from one to another.
//
// Used by the scheduler of fibers and by the loopback transport, which tell the sanitizers about
// each jump themselves. A context begins with a call of its entry; the entry may leave it in
// the middle, with `switch_context`, or by returning the context to go on with, and is then called
// anew when somebody comes back. So a loop that would switch at its end needs no stack to wait on,
// and a finished fiber's stack is ready for the next one.
//
// Boost.Context does the jump, except on x86-64: there Boost's leaves by an indirect jump, which
// puts the processor's prediction of returns out of step; ours leaves by a return
// (docs/design/fiber-promotion.md has the measurement).
//
// Thread-safety: a context is resumed by the thread that left it.
#pragma once

#include <cstddef>
#include <span>

#if !defined(__x86_64__)
#include <boost/context/detail/fcontext.hpp>
#include <cfenv>
#endif

namespace tasuki::base {

/// For code that goes on: the context it was reached from, and what that one sent. For an entry
/// that returns: the context to go to, and what to send.
struct Transfer {
  void* context;
  void* data;
};

using ContextEntry = Transfer (*)(Transfer);

/// Where a context that was left keeps a register.
struct SavedRegister {
  const char* name;  ///< As debuggers name it.
  std::size_t offset_bytes;
};

/// What a debugger needs to show the frames of a context.
struct SavedRegisters {
  std::span<const SavedRegister> registers;
  const char* stack_pointer;  ///< As debuggers name that register.
  std::size_t context_bytes;  ///< It is so far above the context.
  /// Of the 16-bit word that is 1 if the context waits for a call of its entry, so that it has no
  /// frames; 0: nothing tells.
  std::size_t begins_offset_bytes;
};
SavedRegisters saved_registers() noexcept;

#if defined(__x86_64__)

extern "C" Transfer tasuki_switch_context(void* to, void* data) noexcept;
void* make_context(void* stack_end, ContextEntry entry) noexcept;

/// Leaves the running code for `to`, which gets `data`; returns when somebody comes back. Inlined
/// always, for ThreadSanitizer counts calls and this one ends elsewhere than it began.
[[gnu::always_inline]] inline Transfer switch_context(void* to, void* data) noexcept {
  return tasuki_switch_context(to, data);
}

/// Returns: a context that calls `entry` on the stack of `stack_bytes` that ends at `stack_end`, a
/// multiple of 16. Its floating-point modes are those of the thread that made the first context.
template <ContextEntry entry>
void* make_context(void* stack_end, [[maybe_unused]] std::size_t stack_bytes) noexcept {
  return make_context(stack_end, entry);
}

#else

// Boost.Context leaves the rounding mode alone; here it belongs to the context, as on x86-64.
[[gnu::always_inline]] inline Transfer switch_context(void* to, void* data) noexcept {
  const int rounding = std::fegetround();
  const boost::context::detail::transfer_t there = boost::context::detail::jump_fcontext(to, data);
  if (std::fegetround() != rounding) std::fesetround(rounding);
  return {there.fctx, there.data};
}

template <ContextEntry entry>
void* make_context(void* stack_end, std::size_t stack_bytes) noexcept {
  static const int first_rounding = std::fegetround();
  return boost::context::detail::make_fcontext(
      stack_end, stack_bytes, [](boost::context::detail::transfer_t first) {
        Transfer transfer{first.fctx, first.data};
        for (;;) {
          std::fesetround(first_rounding);
          transfer = entry(transfer);
          transfer = switch_context(transfer.context, transfer.data);
        }
      });
}

#endif

}  // namespace tasuki::base
