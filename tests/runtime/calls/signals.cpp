// Called functions that a signal ends, for tests of what is said then: `runtime_signals WAY`.
//
// Thread-safety: each rank's own thread.
#include <signal.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <tasuki/named.hpp>
#include <tasuki/tasuki.hpp>
#include <thread>

namespace {
bool allocations_hang = false;
}

// As in a copy of a process where another thread was in the midst of an allocation.
// Not inlined: GCC 14 would warn of lengths that cannot be, and of pairs it takes apart.
__attribute__((noinline)) void* operator new(std::size_t bytes,
                                             const std::nothrow_t& /*unused*/) noexcept {
  while (allocations_hang) ::pause();
  return std::malloc(bytes);
}
__attribute__((noinline)) void* operator new(std::size_t bytes) {
  void* const memory = operator new(bytes, std::nothrow);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
__attribute__((noinline)) void operator delete(void* memory) noexcept { std::free(memory); }
__attribute__((noinline)) void operator delete(void* memory, std::size_t /*bytes*/) noexcept {
  std::free(memory);
}

namespace signals {

using namespace tasuki;

int last_rank() { return size() - 1; }

/// The sanitizer would forbid what is meant here.
__attribute__((no_sanitize("undefined"), noinline)) int divide(int by) {
  volatile int divisor = by;
  return 100 / divisor;
}

__attribute__((no_sanitize("undefined"), noinline)) int touch(std::uintptr_t address) {
  volatile std::uintptr_t place = address;  // else a compiler sees what is wrong
  return *reinterpret_cast<volatile int*>(place);
}

int write_nowhere(int) { return touch(16); }
int write_nowhere_later(int) {
  yield();
  return touch(16);
}
int send_signal(int number) { return ::raise(number); }
int use_stack(int depth) {
  volatile char room[1024];
  room[0] = static_cast<char>(depth);
  return depth == 0 ? room[0] : use_stack(depth - 1) + room[0];
}

/// Names are found by code that allocates.
int write_nowhere_without_memory(int) {
  allocations_hang = true;
  return touch(16);
}

int return_early(int) { return 0; }

/// The function of the call before has ended.
int write_nowhere_in_main(int) {
  for (int i = 0; i < 10; ++i) {
    invoke(last_rank(), return_early, 0);
    post(last_rank(), return_early, 0);
  }
  quiesce();
  return touch(16);
}

/// A continuation runs while the poller handles an answer; a call has been handled before.
int write_nowhere_in_continuation(int) {
  post(rank(), return_early, 0);
  auto touched = ainvoke(rank(), return_early, 0).then([](int) { return touch(16); });
  return touched.get();
}

/// Its value cannot be read on another rank.
struct Unreadable {
  std::string text = "text";
  template <class Archive>
  void serialize(Archive& archive) {
    archive(text);
    if (Archive::is_loading::value) touch(16);
  }
};

/// The call is named already when its argument is read, not the call before.
void send_unreadable() {
  invoke(last_rank(), return_early, 0);
  invoke(
      last_rank(), [](const Unreadable&) {}, Unreadable());
}

int write_nowhere_on_thread(int) {
  std::thread([] { touch(16); }).join();
  return 0;
}

const tasuki::Named named{"a function with a name", &write_nowhere};

int run(std::string_view way) {
  if (way == "main") return write_nowhere_in_main(0);
  if (way == "continuation") return write_nowhere_in_continuation(0);
  if (way == "spawned") return spawn(write_nowhere, 0).get();
  if (rank() == 0) {
    if (way == "memory") invoke(last_rank(), write_nowhere, 0);
    if (way == "memory_later") invoke(last_rank(), write_nowhere_later, 0);
    if (way == "named") named.invoke(last_rank(), 0);
    if (way == "one_way") post(last_rank(), write_nowhere, 0);
    if (way == "division") invoke(last_rank(), divide, 0);
    if (way == "instruction") invoke(last_rank(), send_signal, SIGILL);
    if (way == "bus") invoke(last_rank(), send_signal, SIGBUS);
    if (way == "abort") invoke(last_rank(), [] { std::abort(); });
    if (way == "stack") invoke(last_rank(), use_stack, 1 << 20);
    if (way == "no_memory") invoke(last_rank(), write_nowhere_without_memory, 0);
    if (way == "argument") send_unreadable();
    if (way == "thread") invoke(last_rank(), write_nowhere_on_thread, 0);
  }
  quiesce();
  return 0;
}

}  // namespace signals

int main(int argc, char** argv) {
  const std::string way = argc > 1 ? argv[1] : "";
  return tasuki::run(argc, argv, [&] { return signals::run(way); });
}
