#include "fiber/stack_pool.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/error.hpp>

#include "fiber/sanitizer.hpp"

namespace tasuki::fiber {
namespace {

constexpr std::size_t slab_stacks_count = 32;

// All slots are a whole number of pages, so without a shift the hot lines of all fibers (control
// block and first frames) would compete for the same few sets of the first-level cache. Fiber i
// is moved down by 5 i lines modulo a page: 5 is odd, so all 64 lines of a page are used, and
// larger than 1, so neighbours do not overlap.
constexpr std::size_t colour_range_bytes = 4096;
constexpr std::size_t colour_step_bytes = 5 * 64;

std::size_t page_bytes() noexcept {
  static const auto bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

std::size_t round_up(std::size_t bytes, std::size_t unit) noexcept {
  return (bytes + unit - 1) / unit * unit;
}

[[noreturn]] void no_memory(std::size_t stack_bytes, std::size_t mapped_count, int error_number) {
  throw error("starting a fiber",
              fmt::format("no memory for another stack of {} KiB beside {}: {}", stack_bytes / 1024,
                          mapped_count, std::strerror(error_number)),
              fmt::format("lower {} or {}, or raise the limit of the process's memory (ulimit -v)",
                          base::setting::fiber_cap.name, base::setting::stack_bytes.name));
}

// Headers of older systems do not have it.
constexpr int guard_install_advice = 102;

/// Emulators of user programs take every advice and do nothing, also of one that nobody knows.
bool is_advice_heeded(void* page) noexcept {
  constexpr int unknown_advice = 9999;
  static const bool is_heeded = ::madvise(page, page_bytes(), unknown_advice) != 0;
  return is_heeded;
}

}  // namespace

StackPool::StackPool(std::size_t stack_bytes, std::size_t pooled_count, Guards guards)
    : stack_bytes_(round_up(stack_bytes, page_bytes())),
      slot_bytes_(round_up(guard_bytes, page_bytes()) + stack_bytes_ +
                  round_up(sizeof(Fiber) + colour_range_bytes, page_bytes())),
      pooled_count_(pooled_count),
      guards_(guards) {}

StackPool::~StackPool() {
  for (const Slab& slab : slabs_) {
    for (std::size_t index = 0; index < slab.used_count; ++index) {
      sanitizer::forget(control_block(slab, index));
      sanitizer::deregister_stack(slab.registrations[index]);
    }
    ::munmap(slab.memory, slot_bytes_ * slab_stacks_count);
  }
}

Fiber* StackPool::control_block(const Slab& slab, std::size_t index) const noexcept {
  std::byte* const slot_end = slab.memory + (index + 1) * slot_bytes_;
  const std::size_t colour = index * colour_step_bytes % colour_range_bytes;
  return reinterpret_cast<Fiber*>(slot_end - colour - sizeof(Fiber));
}

void StackPool::map_slab() {
  Slab slab;
  slab.registrations.reserve(slab_stacks_count);
  slabs_.reserve(slabs_.size() + 1);
  const std::size_t bytes = slot_bytes_ * slab_stacks_count;
  void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) no_memory(stack_bytes_, mapped_count_, errno);
  // A huge page would make every stack in it as large as that.
  ::madvise(memory, bytes, MADV_NOHUGEPAGE);
  slab.memory = static_cast<std::byte*>(memory);
  slabs_.push_back(std::move(slab));
}

void StackPool::make_guard(std::byte* bottom) {
  const std::size_t bytes = round_up(guard_bytes, page_bytes());
  std::byte* const guard = bottom - bytes;
  if (guards_ == Guards::inside) {
    const bool is_heeded = is_advice_heeded(guard);
    if (is_heeded && ::madvise(guard, bytes, guard_install_advice) == 0) return;
    if (is_heeded && errno != EINVAL) no_memory(stack_bytes_, mapped_count_, errno);
    guards_ = Guards::by_mapping;
  }
  if (mapped_count_ >= mapped_guards_most) return;
  if (::mprotect(guard, bytes, PROT_NONE) != 0) no_memory(stack_bytes_, mapped_count_, errno);
}

Fiber* StackPool::make_stack() {
  if (slabs_.empty() || slabs_.back().used_count == slab_stacks_count) map_slab();
  Slab& slab = slabs_.back();
  const std::size_t index = slab.used_count;
  std::byte* const bottom = slab.memory + index * slot_bytes_ + round_up(guard_bytes, page_bytes());
  make_guard(bottom);
  auto* const fiber = new (control_block(slab, index)) Fiber;
  fiber->stack_bottom = bottom;
  fiber->stack_bytes = static_cast<std::size_t>(reinterpret_cast<std::byte*>(fiber) - bottom);
  slab.registrations.push_back(sanitizer::register_stack(bottom, fiber));
  ++slab.used_count;
  ++mapped_count_;
  return fiber;
}

Fiber* StackPool::take() {
  Fiber* fiber = warm_;
  if (fiber != nullptr) {
    warm_ = fiber->ready_next;
    --warm_count_;
  } else if (cold_ != nullptr) {
    fiber = cold_;
    cold_ = fiber->ready_next;
  } else {
    fiber = make_stack();
  }
  sanitizer::begin(fiber);
  return fiber;
}

void StackPool::give_back(Fiber* fiber) noexcept {
  // Room is made before `fiber` joins the list, because its own stack may still be in use.
  if (warm_count_ >= pooled_count_ && warm_ != nullptr) {
    Fiber* const excess = warm_;
    warm_ = excess->ready_next;
    --warm_count_;
    discard_memory(excess);
    excess->ready_next = cold_;
    cold_ = excess;
  }
  fiber->ready_next = warm_;
  warm_ = fiber;
  ++warm_count_;
}

void StackPool::discard_memory(Fiber* fiber) noexcept {
  // The control block's own page stays, because the list of free stacks runs through it.
  const auto bottom = reinterpret_cast<std::uintptr_t>(fiber->stack_bottom);
  const auto end = reinterpret_cast<std::uintptr_t>(fiber) / page_bytes() * page_bytes();
  ::madvise(fiber->stack_bottom, end - bottom, MADV_DONTNEED);
  fiber->context = nullptr;
}

const StackPool::Slab* StackPool::slab_of(const void* address) const noexcept {
  const auto* const wanted = static_cast<const std::byte*>(address);
  for (const Slab& slab : slabs_) {
    if (wanted >= slab.memory && wanted < slab.memory + slab.used_count * slot_bytes_) return &slab;
  }
  return nullptr;
}

const Fiber* StackPool::find(const void* address) const noexcept {
  const Slab* const slab = slab_of(address);
  if (slab == nullptr) return nullptr;
  const auto* const wanted = static_cast<const std::byte*>(address);
  const Fiber* const fiber =
      control_block(*slab, static_cast<std::size_t>(wanted - slab->memory) / slot_bytes_);
  return wanted < static_cast<const std::byte*>(fiber->stack_bottom) ? fiber : nullptr;
}

}  // namespace tasuki::fiber
