// A program for tests/python/profile/test_runtime_programs.py to profile: what its argument says.
#include <tasuki/tasuki.hpp>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

int square(int number) { return number * number; }

/// Waits for rank 0 in a called function.
int square_by_first(int number) { return tasuki::invoke(0, square, number); }

namespace {

void call_each_other() {
  if (tasuki::rank() == 0) {
    for (int i = 0; i < 10; ++i) tasuki::invoke(1, square, i);
    for (int i = 0; i < 3; ++i) tasuki::invoke(1, square_by_first, i);
    tasuki::invoke(
        1, [](const std::string& text) { return text.size(); }, std::string(1 << 20, 'x'));
  }
  tasuki::barrier();
  for (int i = 0; i < 5; ++i) tasuki::allreduce(1.0, tasuki::Sum{});
}

/// Rank 1 does not answer.
void hang(const char* path) {
  tasuki::barrier();
  if (tasuki::rank() == 0) {
    tasuki::invoke(1, square, 3);
  } else {
    std::fclose(std::fopen(path, "w"));
    for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
  }
}

void be_killed() {
  call_each_other();
  if (tasuki::rank() == 1) std::raise(SIGKILL);
  tasuki::barrier();
}

}  // namespace

int main(int argc, char** argv) {
  return tasuki::run(argc, argv, [&] {
    const std::string what = argv[1];
    if (what == "calls") call_each_other();
    if (what == "hang") hang(argv[2]);
    if (what == "killed") be_killed();
  });
}
