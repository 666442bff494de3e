// A fiber's control block: saved context, queue links, what it does and what it waits for.
//
// Internal to the fiber layer; it is in a public header only so that the hot calls of `Scheduler`
// can be inlined. Everybody else holds a `Fiber*` and reads nothing of it.
//
// Thread-safety: none; belongs to one Scheduler.
#pragma once

#include <cstddef>
#include <cstdint>

#include <tasuki/detail/fiber/wait_reason.hpp>

namespace tasuki::fiber {

/// The part of a C++ thread's state that a switch has to carry: the ABI's `__cxa_eh_globals`
/// (Itanium C++ ABI: Exception Handling, 2.2.2), i.e. the exceptions being handled.
struct ExceptionState {
  void* caught = nullptr;
  unsigned int uncaught_count = 0;
};

/// A link of a circular, doubly linked list.
struct WaitLink {
  WaitLink* previous = nullptr;
  WaitLink* next = nullptr;  ///< nullptr: not in a list.
};

/// What a switch touches is in the first cache line, what a wait records in the second; the third
/// is cold.
struct alignas(64) Fiber : WaitLink {
  void* context = nullptr;      ///< Saved stack pointer while the fiber does not run.
  Fiber* ready_next = nullptr;  ///< Next in the ready queue, or next free fiber.
  ExceptionState exceptions;
  void (*entry)(void*) = nullptr;
  void* argument = nullptr;

  WaitReason reason;
  Activity activity;

  void* stack_bottom = nullptr;  ///< Lowest usable address; nullptr: the thread's own stack.
  std::size_t stack_bytes = 0;

  // For the sanitizers, in their builds. A fiber may be left and resumed on another stack than its
  // own: that of a scheduler nested in it, as in the loopback transport.
  const void* resume_stack_bottom = nullptr;
  std::size_t resume_stack_bytes = 0;
  void* asan_fake_stack = nullptr;
  void* tsan_fiber = nullptr;
  void* tsan_resume_fiber = nullptr;
};

static_assert(sizeof(WaitReason) == 32 && sizeof(Activity) == 32,
              "both together fill one cache line");

}  // namespace tasuki::fiber
