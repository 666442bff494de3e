#include <algorithm>
#include <array>
#include <tasuki/tasuki.hpp>
#include <vector>

#include "kernels.hpp"

namespace tasuki::bench::kernels {
namespace {

/// A task may begin when those before it are done. Task t belongs to rank t % size.
struct Task {
  int waits_for = 1;  ///< For the start, and for each task before it.
  int step = 0;
};
std::vector<Task> tasks;  ///< Of this rank.
std::int64_t all_tasks = 0;
bool is_sorted = true;

int owner_of(std::int64_t task) { return static_cast<int>(task % size()); }
Task& own_task(std::int64_t task) { return tasks[static_cast<std::size_t>(task / size())]; }

template <class Visit>
void visit_next(std::int64_t task, Visit visit) {
  for (const std::int64_t next : std::array{2 * task + 1, 3 * task + 1, task + 7}) {
    if (next < all_tasks) visit(next);
  }
}
template <class Visit>
void visit_own(Visit visit) {
  for (std::int64_t task = rank(); task < all_tasks; task += size()) visit(task);
}

void go(std::int64_t task, int step) {
  Task& own = own_task(task);
  own.step = std::max(own.step, step);
  if (--own.waits_for > 0) return;
  visit_next(task, [&](std::int64_t next) { post(owner_of(next), go, next, own.step + 1); });
}

}  // namespace

Measured topological_sort(std::int64_t own_tasks) {
  all_tasks = own_tasks * size();
  tasks.assign(static_cast<std::size_t>(own_tasks), Task{});
  is_sorted = true;
  double edges = 0;
  barrier();
  const Stopwatch watch;
  visit_own([&](std::int64_t task) {
    visit_next(task, [&](std::int64_t next) {
      post(
          owner_of(next), [](std::int64_t to) { ++own_task(to).waits_for; }, next);
      ++edges;
    });
  });
  quiesce();
  visit_own([](std::int64_t task) { go(task, 0); });
  quiesce();
  Measured measured = watch.elapsed(edges);
  visit_own([](std::int64_t task) {
    const auto check = [](std::int64_t to, int step) { is_sorted &= own_task(to).step > step; };
    visit_next(task,
               [&](std::int64_t next) { post(owner_of(next), check, next, own_task(task).step); });
    is_sorted &= own_task(task).waits_for == 0;
  });
  quiesce();
  measured.is_right = is_sorted;
  return measured;
}

}  // namespace tasuki::bench::kernels
