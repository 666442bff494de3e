// Ranks that work for a time, for tests of hosts that vanish meanwhile:
// `runtime_watched_ranks serves|computes SECONDS`, `runtime_watched_ranks calls FILE`.
//
// Rank 0 waits for a call on the last rank, the others in a barrier. `serves` lets the transport
// get on, `computes` does not. With `calls`, the last rank calls rank 1, to which it has said
// nothing before, as soon as there is the file. Thread-safety: each rank's own thread.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <tasuki/tasuki.hpp>
#include <thread>

namespace watched {

using namespace tasuki;

int work(double seconds, bool serves) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    if (serves) yield();
  }
  return 0;
}

void call_when_there_is(const char* file) {
  while (::access(file, F_OK) != 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    yield();
  }
  invoke(1, work, 0.0, true);
}

}  // namespace watched

int main(int argument_count, char** arguments) {
  if (argument_count != 3) return 2;
  const bool calls = std::strcmp(arguments[1], "calls") == 0;
  const bool serves = std::strcmp(arguments[1], "serves") == 0;
  const double seconds = std::strtod(arguments[2], nullptr);
  return tasuki::run(argument_count, arguments, [&] {
    tasuki::barrier();
    std::printf("rank %d is process %d\n", tasuki::rank(), static_cast<int>(::getpid()));
    std::fflush(stdout);
    tasuki::barrier();  // Else the call may come to a rank that has not said so yet.
    const int last = tasuki::size() - 1;
    if (calls && tasuki::rank() == last) watched::call_when_there_is(arguments[2]);
    if (!calls && tasuki::rank() == 0) tasuki::invoke(last, watched::work, seconds, serves);
    tasuki::barrier();
    if (tasuki::rank() == 0) std::puts("done");
    return 0;
  });
}
