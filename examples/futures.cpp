// examples/futures.cpp
#include <tasuki/tasuki.hpp>

#include <chrono>
#include <cstdio>
#include <vector>

int square(int x) { return x * x; }

int main(int argc, char** argv) {
  return tasuki::run(argc, argv, [] {
    if (tasuki::rank() != 0) return;
    using namespace std::chrono_literals;

    std::vector<tasuki::Future<int>> squares;
    for (int r = 0; r < tasuki::size(); ++r) squares.push_back(tasuki::ainvoke(r, square, r + 1));
    int sum = 0;
    for (const int value : tasuki::when_all(std::move(squares)).get()) sum += value;
    std::printf("sum of squares: %d\n", sum);

    auto text = tasuki::ainvoke(0, square, 7).then([](int value) { return value + 1; });
    std::printf("then: %d\n", text.get());

    // Completions, gathered one by one. The function gives a future of its own, which then unwraps.
    tasuki::Future<void> all = tasuki::ready_future();
    for (int r = 0; r < tasuki::size(); ++r) {
      auto fourth_power = tasuki::ainvoke(r, square, r + 1).then([r](int value) {
        return tasuki::ainvoke(r, square, value);
      });
      all = tasuki::when_all(all, fourth_power.then([&](int value) { sum += value; }));
    }
    all.get();
    std::printf("sum of squares and fourth powers: %d\n", sum);

    tasuki::Promise<int> never;
    auto waiting = never.future();
    if (!waiting.get_for(10ms)) std::printf("not yet\n");
    never.set_value(1);
  });
}
