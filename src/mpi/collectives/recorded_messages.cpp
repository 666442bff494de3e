#include "mpi/collectives/recorded_messages.hpp"

#include "events/ticks.hpp"
#include "mpi/record/recorder.hpp"

namespace tasuki::mpi::collectives {

std::uint64_t RecordedMessages::now() noexcept { return events::ticks_now(); }

void RecordedMessages::received(const coll::CollectiveMessage& message) noexcept {
  record::Recorder& recorder = record::recorder();
  if (!recorder.is_recording()) return;
  const record::Communicator* const communicator = recorder.communicators().find(communicator_);
  if (communicator == nullptr) return;
  events::Event event{};
  event.enter_ticks = message.posted;
  event.leave_ticks = events::ticks_now();
  event.function = recorder.collective_message();
  event.communicator = communicator->index;
  event.destination = events::no_rank;
  event.source = communicator->world_ranks[static_cast<std::size_t>(message.source)];
  event.received_bytes = message.bytes;
  recorder.add(event);
}

}  // namespace tasuki::mpi::collectives
