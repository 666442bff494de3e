// Several schedulers in one thread, as the loopback transport has them: each rank is a fiber of an
// outer scheduler and has a scheduler of its own, which yields to the other ranks when idle.
#include <gtest/gtest.h>

#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "fiber/harness.hpp"

namespace tasuki::fiber {
namespace {

/// Ranks that send handlers to each other.
class Ranks {
 public:
  explicit Ranks(std::size_t count) {
    for (std::size_t rank = 0; rank < count; ++rank) {
      ranks_.push_back(std::make_unique<Harness>());
      ranks_[rank]->on_idle = [this](std::uint64_t) { outer_.scheduler.yield(); };
    }
  }

  void run(const std::function<void(std::size_t rank)>& main) {
    outer_.run([&] {
      std::size_t finished_count = 0;
      for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
        outer_.spawn([&, rank] {
          ranks_[rank]->run([&] {
            main(rank);
            ++finished_count;
            while (finished_count < ranks_.size()) {
              ranks_[rank]->scheduler.yield();
              outer_.scheduler.yield();
            }
          });
        });
      }
      outer_.drain();
    });
  }

  Harness& rank(std::size_t index) { return *ranks_[index]; }

  /// Runs `body` on `target` as a handler; waits, as a fiber of `origin`, for its result.
  std::uint64_t call(std::size_t origin, std::size_t target, std::function<std::uint64_t()> body) {
    struct Reply {
      Fiber* caller;
      bool done = false;
      std::uint64_t value = 0;
    } reply{ranks_[origin]->scheduler.current()};
    ranks_[target]->arrive([this, origin, &reply, body = std::move(body)] {
      const std::uint64_t value = body();
      ranks_[origin]->arrive([this, origin, &reply, value] {
        reply.value = value;
        ranks_[origin]->scheduler.make_ready(reply.caller);
      });
    });
    ranks_[origin]->suspend(WaitKind::reply, static_cast<int>(target));
    return reply.value;
  }

 private:
  Harness outer_;
  std::vector<std::unique_ptr<Harness>> ranks_;
};

std::uint64_t fibonacci_here(std::uint64_t n) {
  return n < 2 ? n : fibonacci_here(n - 1) + fibonacci_here(n - 2);
}

std::uint64_t fibonacci(Ranks& ranks, std::size_t here, std::size_t count, std::uint64_t n) {
  if (n < 2) return n;
  const std::size_t there = (here + 1) % count;
  const std::uint64_t remote =
      ranks.call(here, there, [&, there] { return fibonacci(ranks, there, count, n - 1); });
  return remote + fibonacci(ranks, here, count, n - 2);
}

TEST(Nested, HandlersOfTwoSchedulersCallEachOther) {
  for (const std::size_t count : {2u, 3u}) {
    Ranks ranks(count);
    ranks.run([&](std::size_t rank) {
      EXPECT_EQ(fibonacci(ranks, rank, count, 12), fibonacci_here(12));
      EXPECT_FALSE(ranks.rank(rank).scheduler.is_poller());
    });
  }
}

TEST(Nested, EachSchedulerKeepsItsOwnExceptions) {
  Ranks ranks(2);
  ranks.run([&](std::size_t rank) {
    const std::string mine = "rank " + std::to_string(rank);
    try {
      throw std::runtime_error(mine);
    } catch (const std::runtime_error&) {
      const std::uint64_t elsewhere = ranks.call(rank, 1 - rank, [] {
        return std::current_exception() == nullptr ? std::uint64_t{42} : std::uint64_t{0};
      });
      EXPECT_EQ(elsewhere, 42u);
      try {
        throw;
      } catch (const std::runtime_error& exception) {
        EXPECT_EQ(exception.what(), mine);
      }
    }
  });
}

}  // namespace
}  // namespace tasuki::fiber
