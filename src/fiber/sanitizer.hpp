// What the sanitizers and valgrind have to be told about fibers; nothing in other builds.
//
// Called by the scheduler around each switch and by the stack pool. `sanitizer/*_interface.h` and
// Valgrind's manual (client requests) describe the calls.
//
// Thread-safety: as the scheduler.
#pragma once

#include <tasuki/detail/base/sanitizers.hpp>
#include <tasuki/detail/fiber/fiber.hpp>

#ifdef TASUKI_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

#ifdef TASUKI_TSAN
#include <sanitizer/tsan_interface.h>
#endif

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#endif

namespace tasuki::fiber::sanitizer {

// `leave` and `arrive` are always inlined: as calls they would begin on one of ThreadSanitizer's
// call stacks and end on another.

/// Before the jump. `frames_are_gone`: nothing on the stack of `from` is needed again.
[[gnu::always_inline]] inline void leave([[maybe_unused]] Fiber* from, [[maybe_unused]] Fiber* next,
                                         [[maybe_unused]] bool frames_are_gone) {
#ifdef TASUKI_ASAN
  if (frames_are_gone) from->asan_fake_stack = nullptr;
  __sanitizer_start_switch_fiber(frames_are_gone ? nullptr : &from->asan_fake_stack,
                                 next->resume_stack_bottom, next->resume_stack_bytes);
#endif
#ifdef TASUKI_TSAN
  from->tsan_resume_fiber = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(next->tsan_resume_fiber, 0);
#endif
}

/// After the jump, on the stack of `self`, coming from `from`.
[[gnu::always_inline]] inline void arrive([[maybe_unused]] Fiber* self,
                                          [[maybe_unused]] Fiber* from) {
#ifdef TASUKI_ASAN
  __sanitizer_finish_switch_fiber(self->asan_fake_stack, &from->resume_stack_bottom,
                                  &from->resume_stack_bytes);
#endif
}

/// `fiber` is about to start on a fresh or reused stack.
inline void begin([[maybe_unused]] Fiber* fiber) {
#ifdef TASUKI_ASAN
  fiber->asan_fake_stack = nullptr;
  fiber->resume_stack_bottom = fiber->stack_bottom;
  fiber->resume_stack_bytes = fiber->stack_bytes;
  ASAN_UNPOISON_MEMORY_REGION(fiber->stack_bottom, fiber->stack_bytes);
#endif
#ifdef TASUKI_TSAN
  if (fiber->tsan_fiber == nullptr) fiber->tsan_fiber = __tsan_create_fiber(0);
  fiber->tsan_resume_fiber = fiber->tsan_fiber;
#endif
}

/// The stack of `fiber` is about to be unmapped.
inline void forget([[maybe_unused]] Fiber* fiber) {
#ifdef TASUKI_ASAN
  ASAN_UNPOISON_MEMORY_REGION(fiber->stack_bottom, fiber->stack_bytes);
#endif
#ifdef TASUKI_TSAN
  if (fiber->tsan_fiber != nullptr) __tsan_destroy_fiber(fiber->tsan_fiber);
#endif
}

/// Returns: what `deregister_stack` wants.
inline unsigned register_stack([[maybe_unused]] void* bottom, [[maybe_unused]] void* end) {
#ifdef VALGRIND_STACK_REGISTER
  return static_cast<unsigned>(VALGRIND_STACK_REGISTER(bottom, end));
#else
  return 0;
#endif
}

inline void deregister_stack([[maybe_unused]] unsigned id) {
#ifdef VALGRIND_STACK_DEREGISTER
  VALGRIND_STACK_DEREGISTER(id);
#endif
}

}  // namespace tasuki::fiber::sanitizer
