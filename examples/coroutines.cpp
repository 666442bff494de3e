// examples/coroutines.cpp
// Sums over a list whose cells lie on different ranks. Each function that waits is a coroutine, so
// that thousands may wait at a time: none of them needs a stack meanwhile.
#include <tasuki/tasuki.hpp>

#include <cstdio>
#include <stdexcept>

struct Cell {
  int value = 0;
  tasuki::GlobalPtr<Cell> next;
};

tasuki::GlobalPtr<Cell> put_before(int value, tasuki::GlobalPtr<Cell> next) {
  return tasuki::new_<Cell>(Cell{value, next});
}

tasuki::Future<int> sum_from(tasuki::GlobalPtr<Cell> first) {
  int sum = 0;
  while (!first.is_null()) {
    const Cell cell = co_await first.read_async();
    if (cell.value < 0) throw std::domain_error("a cell is negative");
    sum += cell.value;
    first = cell.next;
  }
  co_return sum;
}

int main(int argc, char** argv) {
  return tasuki::run_master(argc, argv, [] {
    tasuki::GlobalPtr<Cell> list;
    for (int i = 0; i < 10; ++i) list = tasuki::invoke(i % tasuki::size(), put_before, i, list);
    // Called here, on another rank, and as a task of this rank: the same function.
    std::printf("here: %d\n", sum_from(list).get());
    std::printf("there: %d\n", tasuki::invoke(tasuki::size() - 1, sum_from, list));
    auto spawned = tasuki::spawn(sum_from, list);
    std::printf("spawned: %d\n", spawned.get());

    // What it throws comes back as from any function.
    list = put_before(-1, list);
    try {
      tasuki::invoke(tasuki::size() - 1, sum_from, list);
    } catch (const std::domain_error& e) {
      std::printf("error: %s\n", e.what());
    }
  });
}
