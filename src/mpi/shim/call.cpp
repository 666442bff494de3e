#include "mpi/shim/call.hpp"

#include "mpi/shim/function_numbers.hpp"
#include "mpi/shim/process.hpp"
#include "mpi/shim/wrappers.hpp"

#include <algorithm>

namespace tasuki::mpi::shim {

constinit thread_local int Call::depth_ = 0;
constinit thread_local const void* Call::place_ = nullptr;

std::int32_t world_rank_in(const record::Communicator& communicator, int rank) noexcept {
  if (rank >= 0 && rank < communicator.size()) {
    return communicator.world_ranks[static_cast<std::size_t>(rank)];
  }
  return rank == MPI_ANY_SOURCE ? events::any_rank : events::no_rank;
}

std::uint64_t received_bytes(const MPI_Status& status) noexcept {
  MPI_Count bytes = 0;
  PMPI_Get_elements_x(&status, MPI_BYTE, &bytes);
  return bytes > 0 ? static_cast<std::uint64_t>(bytes) : 0;
}

bool Call::may_record(std::uint16_t function) noexcept {
  if (!record::recorder().is_on()) return false;
  return function_names()[function].kind == function_number::process_kind || begin_unseen();
}

void Call::on(MPI_Comm communicator) noexcept {
  record::Recorder& recorder = record::recorder();
  if (communicator == MPI_COMM_NULL || !recorder.is_recording()) return;
  const auto guard = recorder.lock();
  communicator_ = known(communicator);
  if (communicator_ == nullptr) return;
  handle_ = communicator;
  event_->communicator = communicator_->index;
}

std::int32_t Call::world_rank(int rank) const noexcept {
  return communicator_ ? world_rank_in(*communicator_, rank) : events::no_rank;
}

void Call::from(int source) noexcept {
  event_->source = world_rank(source);
  is_from_none_ = source == MPI_PROC_NULL;
  if (source == MPI_ANY_SOURCE) event_->flags |= events::source_was_any;
}

void Call::asks_tag(int tag) noexcept {
  event_->tag = tag == MPI_ANY_TAG ? events::any_tag : tag;
  if (tag == MPI_ANY_TAG) event_->flags |= events::tag_was_any;
}

void Call::rooted_at(int root) noexcept {
  const bool is_inter = communicator_ != nullptr && communicator_->is_inter;
  is_root_ = root == MPI_ROOT || (!is_inter && root == own_rank());
  is_with_root_ = !is_inter || (root != MPI_ROOT && root != MPI_PROC_NULL);
  event_->destination = world_rank(root);
}

void Call::received(const MPI_Status& status) noexcept {
  event_->source = world_rank(status.MPI_SOURCE);
  event_->request = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(event_->received_bytes, events::room_bytes_most));
  event_->received_bytes = received_bytes(status);
  if (status.MPI_SOURCE != MPI_PROC_NULL) event_->received_tag = status.MPI_TAG;
}

record::Request& Call::open(MPI_Request request, Direction direction) noexcept {
  record::Request& opened = record::recorder().requests().add(record::word_of(request));
  opened.direction = direction;
  opened.communicator = event_->communicator;
  opened.communicator_word = record::word_of(handle_);
  opened.peer = direction == Direction::receive ? event_->source : event_->destination;
  opened.tag = event_->tag;
  opened.bytes = direction == Direction::receive ? event_->received_bytes : event_->sent_bytes;
  opened.site = event_->site;
  event_->request = opened.number;
  return opened;
}

void Call::starts(MPI_Request request, Direction direction) noexcept {
  if (request == MPI_REQUEST_NULL) return;
  const auto guard = record::recorder().lock();
  open(request, direction);
}

void Call::prepares(MPI_Request request, Direction direction) noexcept {
  if (request == MPI_REQUEST_NULL) return;
  const auto guard = record::recorder().lock();
  record::Request& prepared = open(request, direction);
  prepared.is_persistent = true;
  prepared.is_active = false;
}

}  // namespace tasuki::mpi::shim
