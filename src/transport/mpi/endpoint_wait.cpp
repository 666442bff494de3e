// Waiting for MPI: in steps, because it wakes nobody, or blocked inside it where time is simulated.
#include <algorithm>

#include "transport/mpi/endpoint.hpp"
#include "transport/mpi/endpoint_peer.hpp"
#include "transport/mpi/library.hpp"

namespace tasuki::transport::mpi {
namespace {

/// In simulation: time limits from here on are noticed only when something arrives.
constexpr std::int64_t blocking_least_us = 50'000;

}  // namespace

void Endpoint::wait(std::uint64_t idle_count, std::int64_t most_us) {
  if (job_.is_simulated) return pass_simulated_time(most_us);
  if (take_moved()) idle_.restart();
  // A rank that takes nothing in for now (it has too many fibers) counts its polls, not its naps.
  if (has_arrival()) return;
  if (idle_.pass(idle_.next(idle_count))) {
    functions_.sleep(std::clamp<std::int64_t>(most_us, 0, sleep_most_us));
  }
}

/// In simulation only a wait inside MPI ends at the very moment of an arrival; it knows no limit,
/// so that nearer limits have to be met by sleeping in steps, which see an arrival up to 10 % late.
void Endpoint::pass_simulated_time(std::int64_t most_us) {
  if (most_us >= blocking_least_us) return block();
  std::int64_t passed_us = 0;
  while (passed_us < most_us) {
    progress();
    if (has_arrival()) return;
    const std::int64_t step_us = std::min(most_us - passed_us, 1 + passed_us / 10);
    functions_.sleep(step_us);
    passed_us += step_us;
  }
}

/// Blocks inside MPI until something arrives or completes; returns at once if a transfer
/// has moved since the last call, because the caller may not have seen it yet.
void Endpoint::block() {
  send_due();
  if (find_frame(false)) return;
  test_transfers(false);  // MPI does not wait for the void requests of those done at once
  if (take_moved()) return;
  std::vector<Request*> requests{&ring_->oldest_request()};
  const std::size_t incoming_count = incoming_.active_count();
  const std::size_t outgoing_count = outgoing_.active_count();
  for (std::size_t position = 0; position < incoming_count; ++position) {
    requests.push_back(&incoming_.at(incoming_.active_at(position)).request);
  }
  for (std::size_t position = 0; position < outgoing_count; ++position) {
    requests.push_back(&outgoing_.at(outgoing_.active_at(position)).oldest_piece().request);
  }
  for (std::size_t number = 0; number < posted_receives_.count(); ++number) {
    requests.push_back(&posted_receives_.request(number));
  }
  slots_.for_each_request([&](Request& request) { requests.push_back(&request); });
  int completed = 0;
  Status status;
  check(
      functions_,
      functions_.wait_any(requests.data(), static_cast<int>(requests.size()), &completed, &status),
      "waiting for MPI");
  const auto index = static_cast<std::size_t>(completed);
  if (index == 0) {
    ring_->finish_oldest(status);
  } else if (index <= incoming_count) {
    note_incoming(index - 1);
  } else if (index <= incoming_count + outgoing_count) {
    note_outgoing(index - 1 - incoming_count);
  } else if (index <= incoming_count + outgoing_count + posted_receives_.count()) {
    note_arrived(posted_receives_.finish(index - 1 - incoming_count - outgoing_count));
  } else {
    slots_.finish(requests[index]);
  }
}

}  // namespace tasuki::transport::mpi
