// What the Tasuki programs have in common around their kernels: start, arrays and arrivals.
//
// Thread-safety: the rank's own thread only.
#pragma once

#include <cstdio>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/tasuki.hpp>
#include <vector>

#include "common/usage_error.hpp"

namespace tasuki::apps {

/// Wall clock in seconds.
inline double now_s() { return static_cast<double>(base::now_ns()) * 1e-9; }

/// The ranks of a Tasuki program: a Job (common/job.hpp).
struct TasukiJob {
  static constexpr const char* implementation = "tasuki";

  static const char* transport() { return runtime::Rank::current().transport.name(); }
  static int rank() { return tasuki::rank(); }
  static int size() { return tasuki::size(); }
  static double now_s() { return apps::now_s(); }
  static void barrier() { tasuki::barrier(); }
  template <class T>
  static std::vector<T> gather(const T& value) {
    return allgather(value);
  }
};

/// An array in this rank's shared heap, freed with it.
template <class T>
class SharedArray {
 public:
  explicit SharedArray(std::size_t size) : pointer_(new_array<T>(size)), size_(size) {}
  ~SharedArray() { delete_(pointer_); }
  SharedArray(const SharedArray&) = delete;
  SharedArray& operator=(const SharedArray&) = delete;

  GlobalPtr<T> pointer() const noexcept { return pointer_; }
  T* data() const noexcept { return pointer_.raw(); }
  std::size_t size() const noexcept { return size_; }
  T* begin() const noexcept { return data(); }
  T* end() const noexcept { return data() + size_; }

 private:
  GlobalPtr<T> pointer_;
  std::size_t size_;
};

/// Counts the writes of the peers that have arrived here.
class Arrivals {
 public:
  Arrivals() : counter_(new_<Line>()) {}
  ~Arrivals() { delete_(counter_); }
  Arrivals(const Arrivals&) = delete;
  Arrivals& operator=(const Arrivals&) = delete;

  /// What the peers increase.
  GlobalPtr<std::uint64_t> counter() const { return counter_.member(&Line::count); }
  /// Waits for `count` more arrivals than all calls before.
  void wait(std::size_t count) {
    awaited_ += count;
    wait_signal(&counter_.raw()->count, awaited_);
  }

 private:
  /// A cache line of its own: a waiting rank reads it all the time.
  struct alignas(64) Line {
    std::uint64_t count = 0;
  };

  GlobalPtr<Line> counter_;
  std::uint64_t awaited_ = 0;
};

/// Runs `program(parse(argc, argv))`, which returns the exit code, on every rank. Returns: the exit
/// code; 2 if the command line is wrong, which rank 0 reports.
template <class Parse, class Program>
int run_on_every_rank(int argc, char** argv, Parse parse, Program program) {
  return run(argc, argv, [&] {
    try {
      return program(parse(argc, argv));
    } catch (const usage_error& failure) {
      if (rank() == 0) failure.print();
      return failure.exit_code();
    }
  });
}

}  // namespace tasuki::apps
