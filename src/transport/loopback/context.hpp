// A context: one rank's stack with its guard page, and the switch from one to another.
//
// Used by the loopback cluster only. The code on a context may itself switch stacks (fibers of the
// scheduler); a context is left from, and resumed on, whatever stack it is on then. Exception state
// of the C++ runtime and the address sanitizer's idea of the stack move with it.
//
// Thread-safety: none.
#pragma once

#include <cstddef>

namespace tasuki::transport::loopback {

class Context {
 public:
  /// The context of the calling thread, which already has a stack.
  Context() = default;
  /// A context that will run `entry(argument)`, which must never return but switch away for good.
  /// Throws std::bad_alloc if there is no memory for the stack.
  Context(std::size_t stack_bytes, void (*entry)(void* argument), void* argument);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  /// Leaves `from`, the running context, for `to`; returns when somebody switches back to `from`.
  static void switch_to(Context& from, Context& to) noexcept;

 private:
  struct Entry;
  void arrived_from(Context& previous, void* previous_stack_pointer) noexcept;

  std::byte* mapping_ = nullptr;  ///< Guard page, then the stack.
  std::size_t mapping_bytes_ = 0;
  void* stack_pointer_ = nullptr;  ///< While suspended.
  void (*entry_)(void*) = nullptr;
  void* argument_ = nullptr;
  void* caught_exceptions_ = nullptr;  ///< While suspended: the C++ runtime's own per-thread state.
  unsigned uncaught_count_ = 0;
  const void* sanitizer_stack_ = nullptr;  ///< While suspended: lowest address of its stack.
  std::size_t sanitizer_stack_bytes_ = 0;
  [[maybe_unused]] void* sanitizer_fake_stack_ = nullptr;
};

}  // namespace tasuki::transport::loopback
