// examples/topological_sort.cpp
#include <tasuki/tasuki.hpp>

#include <algorithm>
#include <cstdio>
#include <vector>

// A task may begin when those before it are done. Task t belongs to rank t % size.
struct Task {
  int waits_for = 1;  // for the start, and for each task before it
  int step = 0;
  std::vector<int> next;
};
std::vector<Task> tasks;  // Of this rank.
int wrong = 0;

int owner_of(int task) { return task % tasuki::size(); }
Task& own_task(int task) { return tasks[static_cast<std::size_t>(task / tasuki::size())]; }

// Runs on the rank that has the task, when one before it is done.
void go(int task, int step) {
  Task& own = own_task(task);
  own.step = std::max(own.step, step);
  if (--own.waits_for > 0) return;
  for (const int next : own.next) tasuki::post(owner_of(next), go, next, own.step + 1);
}

int main(int argc, char** argv) {
  return tasuki::run(argc, argv, [] {
    constexpr int count = 10000;
    tasks.resize(count);
    tasuki::barrier();  // no call comes before there are tasks
    for (int task = tasuki::rank(); task < count; task += tasuki::size()) {
      for (int next : {2 * task + 1, 3 * task + 1, task + 7}) {
        if (next >= count) continue;
        own_task(task).next.push_back(next);
        tasuki::post(
            owner_of(next), [](int to) { ++own_task(to).waits_for; }, next);
      }
    }
    tasuki::quiesce();  // each task knows how many are before it
    for (int task = tasuki::rank(); task < count; task += tasuki::size()) go(task, 0);
    tasuki::quiesce();  // all are done

    // Verified: each task has a later step than those before it.
    for (int task = tasuki::rank(); task < count; task += tasuki::size()) {
      const Task& own = own_task(task);
      const auto check = [](int to, int step) { wrong += own_task(to).step <= step; };
      for (const int next : own.next) tasuki::post(owner_of(next), check, next, own.step);
      wrong += own.waits_for != 0;
    }
    tasuki::quiesce();
    const auto later = [](const Task& a, const Task& b) { return a.step < b.step; };
    const int own_last = std::max_element(tasks.begin(), tasks.end(), later)->step;
    const int last = tasuki::allreduce(own_last, tasuki::Max{});
    const int all_wrong = tasuki::allreduce(wrong, tasuki::Sum{});
    if (tasuki::rank() == 0) std::printf("%d steps, %d wrong\n", last + 1, all_wrong);
  });
}
