#include "npb/sp/solver.hpp"

#include <gtest/gtest.h>

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "apps/common/thread_ranks.hpp"
#include "npb/sp/result.hpp"

namespace tasuki::npb::sp {
namespace {

/// Messages between threads, by receiver and kind.
class Post {
 public:
  using Address = std::array<int, 4>;

  void send(const Address& to, std::span<const double> numbers) {
    const std::lock_guard locked(mutex_);
    boxes_[to].emplace_back(numbers.begin(), numbers.end());
    arrived_.notify_all();
  }
  std::vector<double> receive(const Address& at) {
    std::unique_lock locked(mutex_);
    arrived_.wait(locked, [&] { return !boxes_[at].empty(); });
    std::vector<double> numbers = std::move(boxes_[at].front());
    boxes_[at].pop_front();
    return numbers;
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::map<Address, std::deque<std::vector<double>>> boxes_;
};

/// Ranks that are threads.
class ThreadExchange {
 public:
  ThreadExchange(apps::ThreadRanks& threads, Post& post, const Layout& layout)
      : threads_(threads), post_(post), layout_(layout) {
    for (const Side side : both_sides) {
      passing_[side].resize(most_passed_numbers(layout));
      for (const Axis axis : all_axes) outboxes_[axis][side].resize(most_face_numbers(layout));
    }
  }

  std::span<double> face_outbox(Axis axis, Side side) { return outboxes_[axis][side]; }
  std::span<const double> face_inbox(Axis axis, Side side) { return inboxes_[axis][side]; }
  void swap_faces(const FaceSizes& sizes) {
    for (const Axis axis : all_axes)
      for (const Side side : both_sides)
        post_.send(address(layout_.neighbour(axis, side), axis, opposite(side), -1),
                   std::span(outboxes_[axis][side]).first(sizes[axis][side]));
    for (const Axis axis : all_axes)
      for (const Side side : both_sides)
        inboxes_[axis][side] = post_.receive(address(layout_.rank(), axis, side, -1));
  }
  void begin_sweep(Axis axis) { axis_ = axis; }
  std::span<const double> taken(Side side, int stage) {
    taken_[side] = post_.receive(address(layout_.rank(), axis_, side, stage));
    return taken_[side];
  }
  std::span<double> passing(Side side) { return passing_[side]; }
  void pass(Side side, int stage, std::size_t count) {
    post_.send(address(layout_.neighbour(axis_, side), axis_, side, stage),
               std::span(passing_[side]).first(count));
  }
  void sum(std::span<double> values) { threads_.sum(layout_.rank(), values); }

 private:
  static Post::Address address(int rank, Axis axis, Side side, int stage) {
    return {rank, static_cast<int>(axis), static_cast<int>(side), stage};
  }

  using Boxes = std::array<std::vector<double>, side_count>;

  apps::ThreadRanks& threads_;
  Post& post_;
  Layout layout_;
  Axis axis_ = x_axis;
  std::array<Boxes, axis_count> outboxes_;
  std::array<Boxes, axis_count> inboxes_;
  Boxes passing_;
  Boxes taken_;
};

Report solved(int ranks, bool is_perturbed) {
  const Problem problem = problem_of(ProblemClass::s);
  std::vector<Result> results(1);
  apps::ThreadRanks threads(ranks);
  Post post;
  threads.run([&](int rank) {
    const Layout layout(problem.edge, rank, ranks);
    ThreadExchange exchange(threads, post, layout);
    Solver solver(problem, layout, exchange);
    solver.advance(1);
    solver.restart();
    if (is_perturbed) solver.perturb();
    solver.advance(problem.steps);
    const Components error = solver.error();
    const Components residual = solver.residual();
    if (rank == 0) results[0] = {residual, error, {}};
  });
  return report_of(results, Options{});
}

TEST(SpSolver, ReachesTheNormsOfClassS) {
  for (const int ranks : {1, 4, 9, 16}) EXPECT_TRUE(solved(ranks, false).verified()) << ranks;
}

TEST(SpSolver, ASpoiledStateIsReportedAsFailed) { EXPECT_FALSE(solved(4, true).verified()); }

}  // namespace
}  // namespace tasuki::npb::sp
