#include <algorithm>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <tasuki/detail/runtime/world/thread_works.hpp>
#include <tasuki/error.hpp>
#include <utility>

namespace tasuki::runtime {
namespace {

/// Those of the ranks that run in this process.
struct Registry {
  std::mutex mutex;
  std::vector<ThreadWorks*> of_ranks;
};

Registry& registry() {
  static Registry the_one;
  return the_one;
}

[[noreturn]] void throw_no_such_rank(bool are_several) {
  throw error("on_rank_thread",
              are_several ? "several ranks run in this process (loopback), and none of them has "
                            "started this thread"
                          : "no rank runs in this process: tasuki::run has not started, or is over",
              are_several ? "start the thread by tasuki::spawn_thread, or run the program over "
                            "shared memory"
                          : "join the program's threads before the function given to tasuki::run "
                            "returns");
}

}  // namespace

constinit thread_local ThreadWorks* ThreadWorks::home_ = nullptr;

ThreadWorks::ThreadWorks(Rank& self) : arrivals_(self.transport.arrivals()) {
  self.thread_works = this;
  const std::lock_guard lock(registry().mutex);
  registry().of_ranks.push_back(this);
}

ThreadWorks::~ThreadWorks() {
  const std::lock_guard lock(registry().mutex);
  std::erase(registry().of_ranks, this);
}

void ThreadWorks::hand_over(std::unique_ptr<ThreadWork> work) {
  if (home_ != nullptr) return home_->add(std::move(work));
  const std::lock_guard lock(registry().mutex);  // so that the rank stays
  const auto& of_ranks = registry().of_ranks;
  const bool is_only_one = of_ranks.size() == 1;
  if (!is_only_one || of_ranks.front()->refuses_strangers_) throw_no_such_rank(of_ranks.size() > 1);
  of_ranks.front()->add(std::move(work));
}

void ThreadWorks::refuse_strangers() noexcept {
  const std::lock_guard lock(registry().mutex);
  refuses_strangers_ = true;
}

/// No wake-up is lost: this thread writes `is_any_` before it asks whether the rank sleeps; the
/// rank says that it will sleep, reads `is_any_` (Poller::idle), and then sleeps. Both have a
/// full fence between the two steps (Doorbell), so at least one sees what the other has written.
void ThreadWorks::add(std::unique_ptr<ThreadWork> work) {
  {
    const std::lock_guard lock(mutex_);
    added_.push_back(std::move(work));
    added_count_.fetch_add(1, std::memory_order_relaxed);
    is_used_.store(true, std::memory_order_relaxed);
    is_any_.store(true, std::memory_order_relaxed);
  }
  arrivals_.wake();
}

bool ThreadWorks::begin_all() {
  std::vector<std::unique_ptr<ThreadWork>> works;
  {
    const std::lock_guard lock(mutex_);
    works.swap(added_);
    is_any_.store(false, std::memory_order_relaxed);
  }
  for (const auto& work : works) work->begin();
  begun_count_ += works.size();
  return !works.empty();
}

}  // namespace tasuki::runtime
