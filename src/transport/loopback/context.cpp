#include "transport/loopback/context.hpp"

#include <cxxabi.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <new>
#include <tasuki/detail/base/context.hpp>
#include <tasuki/detail/base/sanitizers.hpp>

#ifdef TASUKI_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace tasuki::transport::loopback {
namespace {

/// What __cxa_get_globals points to, by the Itanium C++ ABI, section 2.2.2.
struct ExceptionGlobals {
  void* caught_exceptions;
  unsigned uncaught_count;
};

ExceptionGlobals& exception_globals() noexcept {
  return *reinterpret_cast<ExceptionGlobals*>(abi::__cxa_get_globals());
}

/// Handed from the context that is left to the one that is entered.
struct Handover {
  Context* from;
  Context* to;
};

std::size_t page_bytes() noexcept { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

}  // namespace

struct Context::Entry {
  static base::Transfer run(base::Transfer transfer) noexcept {
    // The handover lies on the stack that was left, and may be gone after the next switch.
    const Handover handover = *static_cast<Handover*>(transfer.data);
    handover.to->arrived_from(*handover.from, transfer.context);
    handover.to->entry_(handover.to->argument_);
    std::abort();
  }
};

Context::Context(std::size_t stack_bytes, void (*entry)(void*), void* argument)
    : entry_(entry), argument_(argument) {
  const std::size_t page = page_bytes();
  stack_bytes = (stack_bytes + page - 1) / page * page;
  mapping_bytes_ = stack_bytes + page;
  void* mapped = ::mmap(nullptr, mapping_bytes_, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  mapping_ = static_cast<std::byte*>(mapped);
  ::mprotect(mapping_, page, PROT_NONE);
  stack_pointer_ = base::make_context<&Entry::run>(mapping_ + mapping_bytes_, stack_bytes);
  sanitizer_stack_ = mapping_ + page;
  sanitizer_stack_bytes_ = stack_bytes;
}

Context::~Context() {
  if (mapping_ == nullptr) return;
#ifdef TASUKI_ASAN
  // Frames of a dropped stack are still marked; the next mapping here must not inherit that.
  __asan_unpoison_memory_region(mapping_, mapping_bytes_);
#endif
  ::munmap(mapping_, mapping_bytes_);
}

void Context::switch_to(Context& from, Context& to) noexcept {
  const ExceptionGlobals left = exception_globals();
  from.caught_exceptions_ = left.caught_exceptions;
  from.uncaught_count_ = left.uncaught_count;
#ifdef TASUKI_ASAN
  __sanitizer_start_switch_fiber(&from.sanitizer_fake_stack_, to.sanitizer_stack_,
                                 to.sanitizer_stack_bytes_);
#endif
  Handover handover{&from, &to};
  const base::Transfer transfer = base::switch_context(to.stack_pointer_, &handover);
  from.arrived_from(*static_cast<Handover*>(transfer.data)->from, transfer.context);
}

void Context::arrived_from(Context& previous, void* previous_stack_pointer) noexcept {
#ifdef TASUKI_ASAN
  __sanitizer_finish_switch_fiber(sanitizer_fake_stack_, &previous.sanitizer_stack_,
                                  &previous.sanitizer_stack_bytes_);
#endif
  previous.stack_pointer_ = previous_stack_pointer;
  exception_globals() = {caught_exceptions_, uncaught_count_};
}

}  // namespace tasuki::transport::loopback
