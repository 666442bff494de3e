// examples/sync.cpp
#include <tasuki/tasuki.hpp>

#include <cstdio>

tasuki::Sync<int> results;

void work(int task, tasuki::GlobalPtr<tasuki::Sync<int>> to) { to.write(task * task); }

int main(int argc, char** argv) {
  // run_master: only rank 0 runs the function, the others serve.
  return tasuki::run_master(argc, argv, [] {
    for (int task = 1; task <= 10; ++task) {
      tasuki::post(task % tasuki::size(), work, task, tasuki::global_ptr(&results));
    }
    int sum = 0;
    for (int task = 1; task <= 10; ++task) sum += results.read();  // waits for each
    std::printf("sum %d\n", sum);
  });
}
