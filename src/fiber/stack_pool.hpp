// Stacks for fibers: mapped in slabs, each above a guard, with the fiber's control block on top.
//
// Used by Scheduler; `find` and `holds` also by the guard's signal handler. A free stack keeps its
// memory until more than `pooled_count` are free; the memory of the others goes back to the system.
// How many stacks there can be is a matter of memory, not of the system's limit for mappings.
//
// Thread-safety: none; but `find` and `holds` may be called by any thread while the pool does not
// change.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <tasuki/detail/fiber/fiber.hpp>

namespace tasuki::fiber {

class StackPool {
 public:
  /// Inaccessible bytes under each stack. Code that was compiled without -fstack-clash-protection
  /// (libraries) can step over them; address space is free, so it is more than a page.
  static constexpr std::size_t guard_bytes = 64 * 1024;

  /// How guards are made: inside the mapping of a slab (MADV_GUARD_INSTALL, Linux 6.13), or, where
  /// the system has no such thing, as mappings of their own.
  enum class Guards { inside, by_mapping };
  /// A guard of its own splits a mapping in two, and by default a process has 65,530
  /// (vm.max_map_count). Half of them go to the first stacks; those beyond do without, for a rank
  /// in such a flood of calls rather needs memory for the rest of the program.
  static constexpr std::size_t mapped_guards_most = 16'384;

  StackPool(std::size_t stack_bytes, std::size_t pooled_count, Guards guards = Guards::inside);
  ~StackPool();
  StackPool(const StackPool&) = delete;
  StackPool& operator=(const StackPool&) = delete;

  /// Returns: a control block with a stack right below it, whose bounds and sanitizers' state are
  /// set; `context` is nullptr if the stack's memory is fresh, otherwise as the fiber before left
  /// it; the rest is undefined. Throws tasuki::error if there is no memory.
  Fiber* take();
  /// Takes back `fiber`, whose stack may still be the running one: nothing touches its memory
  /// before the next call of `take` or `give_back`.
  void give_back(Fiber* fiber) noexcept;

  /// Does `address` lie in a stack or guard of this pool? Safe in a signal handler.
  bool holds(const void* address) const noexcept { return slab_of(address) != nullptr; }
  /// Returns: the fiber whose guard `address` lies in, or nullptr. Safe in a signal handler.
  const Fiber* find(const void* address) const noexcept;

  std::size_t stack_bytes() const noexcept { return stack_bytes_; }
  std::size_t mapped_count() const noexcept { return mapped_count_; }  ///< Stacks made so far.

 private:
  struct Slab {
    std::byte* memory = nullptr;
    std::size_t used_count = 0;
    std::vector<unsigned> registrations;
  };

  const Slab* slab_of(const void* address) const noexcept;
  Fiber* control_block(const Slab& slab, std::size_t index) const noexcept;
  void map_slab();
  Fiber* make_stack();
  void make_guard(std::byte* bottom);
  void discard_memory(Fiber* fiber) noexcept;

  std::size_t stack_bytes_;
  std::size_t slot_bytes_;  ///< Guard, stack, and room for the control block.
  std::size_t pooled_count_;
  Guards guards_;
  std::size_t warm_count_ = 0;
  std::size_t mapped_count_ = 0;
  Fiber* warm_ = nullptr;  ///< Free stacks with memory; last in, first out.
  Fiber* cold_ = nullptr;  ///< Free stacks whose memory was given back.
  std::vector<Slab> slabs_;
};

}  // namespace tasuki::fiber
