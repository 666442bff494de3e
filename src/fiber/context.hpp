// Contexts: the saved registers of code that does not run, and the jump from one to another.
//
// Used by the scheduler only. Boost.Context does this, except on x86-64: there Boost's jump leaves
// by an indirect jump, so that the processor's return-address predictor is one entry off and the
// next return is mispredicted; ours leaves by a return (docs/design/fiber-promotion.md has the
// measurement).
//
// Thread-safety: a context is resumed by the thread that left it.
#pragma once

#include <cstddef>

#if !defined(__x86_64__)
#include <boost/context/detail/fcontext.hpp>
#endif

namespace tasuki::fiber {

#if defined(__x86_64__)

/// What code finds when it runs again: the context it was reached from, and what that one sent.
struct Transfer {
  void* from;
  void* data;
};

extern "C" Transfer tasuki_switch_context(void* to, void* data) noexcept;

/// Leaves the running code for `to`, which gets `data`; returns when somebody comes back. Inlined
/// always, for ThreadSanitizer counts calls and this one ends elsewhere than it began.
[[gnu::always_inline]] inline Transfer switch_context(void* to, void* data) noexcept {
  return tasuki_switch_context(to, data);
}

/// Returns: a context that will call `entry` on the stack of `stack_bytes` that ends at
/// `stack_end`, a multiple of 16. Requires: `entry` never returns.
void* make_context(void* stack_end, std::size_t stack_bytes, void (*entry)(Transfer)) noexcept;

#else

using Transfer = boost::context::detail::transfer_t;

[[gnu::always_inline]] inline Transfer switch_context(void* to, void* data) noexcept {
  return boost::context::detail::jump_fcontext(to, data);
}

inline void* make_context(void* stack_end, std::size_t stack_bytes,
                          void (*entry)(Transfer)) noexcept {
  return boost::context::detail::make_fcontext(stack_end, stack_bytes, entry);
}

#endif

/// The context a transfer came from, whatever the implementation calls it.
inline void* context_left(const Transfer& transfer) noexcept {
#if defined(__x86_64__)
  return transfer.from;
#else
  return transfer.fctx;
#endif
}

}  // namespace tasuki::fiber
