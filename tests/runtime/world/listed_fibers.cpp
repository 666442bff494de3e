// Fibers that wait while the one rank ends by SIGABRT: tests/support/fibers_in_gdb.py lists them.
//
// Thread-safety: the rank's own thread.
#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <tasuki/tasuki.hpp>

namespace listed {

using namespace tasuki;

Sync<int> nobody_writes;
int waiting_count = 0;

__attribute__((noinline)) int read_in_vain(int more) {
  ++waiting_count;
  return nobody_writes.read() + more;
}
int wait_for_sync(int more) { return read_in_vain(more) * 2; }
int wait_for_call(int more) {
  ++waiting_count;
  return invoke(0, wait_for_sync, more) + 1;
}
int wait_for_chain(int more) {
  ++waiting_count;
  auto text = ainvoke(0, wait_for_sync, more).then([](int read) { return std::to_string(read); });
  auto length = text.then([](const std::string& read) { return static_cast<int>(read.size()); });
  return length.get();
}
int yield_for_ever(int) {
  ++waiting_count;
  for (;;) yield();
}

/// gdb, which writes the core file, reads no further in a mapping that has guards inside. (The
/// system leaves them out.)
void remove_guards() {
  constexpr int guard_remove_advice = 103;  // Headers of older systems do not have it.
  std::ifstream mappings("/proc/self/maps");
  for (std::string line; std::getline(mappings, line);) {
    std::istringstream words(line);
    std::uintptr_t first = 0;
    std::uintptr_t end = 0;
    char dash = 0;
    words >> std::hex >> first >> dash >> end;
    ::madvise(reinterpret_cast<void*>(first), end - first, guard_remove_advice);
  }
}

__attribute__((noinline)) int abort_in_main() {
  auto call = ainvoke(0, wait_for_call, 1);
  auto spawned = spawn(yield_for_ever, 1);
  auto chained = spawn(wait_for_chain, 2);
  while (waiting_count != 5) yield();
  remove_guards();
  std::abort();
}

}  // namespace listed

int main(int argc, char** argv) { return tasuki::run(argc, argv, listed::abort_in_main); }
