#include "mpi/collectives/awaited_messages.hpp"

#include "mpi/ahead/awaited.hpp"
#include "mpi/ahead/earlier.hpp"
#include "mpi/ahead/reporting.hpp"
#include "mpi/wait/job_facts.hpp"
#include "mpi/wait/waiting.hpp"

#include <thread>

namespace tasuki::mpi::collectives {

bool AwaitedMessages::are_wanted() noexcept { return wait::is_on() || ahead::is_reporting(); }

AwaitedMessages::AwaitedMessages(MPI_Comm communicator) {
  if (!ahead::is_predicting()) return;
  round_.emplace(ahead::predictions(), ahead::number_of(record::word_of(communicator)));
}

void AwaitedMessages::begin(const void* place) noexcept {
  place_ = place;
  is_followed_ = round_.has_value() && !ahead::is_awaiting();
}

std::size_t AwaitedMessages::posted(int source, std::span<const std::byte> into) {
  ahead::count_receive(source);
  return is_followed_ ? round_->expect(source, into) : 0;
}

void AwaitedMessages::arrived(std::size_t number) noexcept {
  if (is_followed_) round_->arrived(number);
}

void AwaitedMessages::until(const std::function<bool()>& poll) {
  if (!wait::is_on()) {
    // The rank that is waited for may need this one's core.
    const bool must_yield = wait::job_facts().must_yield();
    while (!poll()) {
      if (must_yield) std::this_thread::yield();
    }
    return;
  }
  const auto polled = [&](bool& is_done) {
    is_done = poll();
    return MPI_SUCCESS;
  };
  wait::waiting().until(place_, polled, [&] { return is_followed_ && round_->step(); });
}

}  // namespace tasuki::mpi::collectives
