#include "mpi/ahead/bounce_receives.hpp"

#include "mpi/ahead/reporting.hpp"
#include "mpi/messages/job_end.hpp"
#include "mpi/messages/own_communicator.hpp"

#include <fmt/format.h>
#include <tasuki/detail/base/clock.hpp>

#include <new>
#include <utility>

namespace tasuki::mpi::ahead {

BounceReceives::BounceReceives(std::int64_t least_bytes, bool is_guarded, Report& report)
    : least_bytes_(least_bytes), is_guarded_(is_guarded), report_(report) {}

void BounceReceives::begins(int source, int tag, MPI_Comm communicator) {
  const record::Word word = record::word_of(communicator);
  next_.reset();
  if (source == MPI_ANY_SOURCE || tag == MPI_ANY_TAG) {
    excluded_.insert(word);
    return;
  }
  communicator_ = communicator;
  receives_.begins({source, tag, word});
  if (taken_ || excluded_.contains(word)) return;
  const std::optional<NextReceives::Expected> next = receives_.expected();
  if (!next || next->channel.communicator != word || next->message_bytes < least_bytes_) return;
  if (!is_guarded_ || guard_.allows()) next_ = next;
}

void BounceReceives::ended(const MPI_Status& status) {
  next_.reset();
  receives_.ended(message_bytes_of(status));
}

void BounceReceives::step() {
  if (taken_) return note_transfer();
  std::int64_t message_bytes = 0;
  if (next_ && is_there(&message_bytes)) take(message_bytes);
}

bool BounceReceives::is_there(std::int64_t* message_bytes) const {
  int is_found = 0;
  MPI_Status status;
  PMPI_Iprobe(next_->channel.source, MPI_ANY_TAG, communicator_, &is_found, &status);
  if (is_found == 0 || status.MPI_TAG != next_->channel.tag) return false;
  *message_bytes = message_bytes_of(status);
  return *message_bytes >= least_bytes_ && *message_bytes <= most_bytes;
}

void BounceReceives::take(std::int64_t message_bytes) {
  Taken taken;
  taken.channel = next_->channel;
  taken.message_bytes = static_cast<int>(message_bytes);
  next_.reset();
  taken.memory.reset(new (std::nothrow) std::byte[static_cast<std::size_t>(message_bytes)]);
  if (taken.memory == nullptr) return;
  int is_found = 0;
  MPI_Message message{};
  PMPI_Improbe(taken.channel.source, taken.channel.tag, communicator_, &is_found, &message,
               MPI_STATUS_IGNORE);
  if (is_found == 0) return;
  taken.begin_ns = base::now_ns();
  // Data of any datatype may be received as packed.
  const int code =
      PMPI_Imrecv(taken.memory.get(), taken.message_bytes, MPI_PACKED, &message, &taken.request);
  if (code == MPI_SUCCESS) taken_ = std::move(taken);
}

void BounceReceives::note_transfer() {
  if (taken_->transfer_ns != 0) return;
  int is_complete = 0;
  PMPI_Request_get_status(taken_->request, &is_complete, MPI_STATUS_IGNORE);
  if (is_complete != 0) taken_->transfer_ns = base::now_ns() - taken_->begin_ns;
}

bool BounceReceives::has(int source, int tag, MPI_Comm communicator) const noexcept {
  return taken_ && taken_->channel.communicator == record::word_of(communicator) &&
         (source == taken_->channel.source || source == MPI_ANY_SOURCE) &&
         (tag == taken_->channel.tag || tag == MPI_ANY_TAG);
}

int BounceReceives::deliver(const Buffer& buffer, MPI_Status* status) {
  const std::int64_t begin_ns = base::now_ns();
  const std::int64_t saved_ns =
      taken_->transfer_ns != 0 ? taken_->transfer_ns : begin_ns - taken_->begin_ns;
  // MPI itself unpacks, finds that a buffer is too short, and counts elements in the status.
  MPI_Status copied;
  const int code = PMPI_Sendrecv(taken_->memory.get(), taken_->message_bytes, MPI_PACKED, 0,
                                 bounced_tag, buffer.begin, static_cast<int>(buffer.count),
                                 buffer.datatype, 0, bounced_tag, own_communicator(), &copied);
  int error_class = MPI_SUCCESS;
  if (code != MPI_SUCCESS) PMPI_Error_class(code, &error_class);
  // Of wrong arguments MPI takes no message: another receive may get it.
  if (error_class != MPI_SUCCESS && error_class != MPI_ERR_TRUNCATE) return code;
  if (status != MPI_STATUS_IGNORE) {
    copied.MPI_SOURCE = taken_->channel.source;
    copied.MPI_TAG = taken_->channel.tag;
    copied.MPI_ERROR = status->MPI_ERROR;
    *status = copied;
  }
  taken_.reset();
  ++report_.counters().committed;
  guard_.record(saved_ns - (base::now_ns() - begin_ns));
  return code;
}

void BounceReceives::exclude(const char* function, int source, int tag, MPI_Comm communicator) {
  if (source == MPI_PROC_NULL) return;
  excluded_.insert(record::word_of(communicator));
  if (!has(source, tag, communicator)) return;
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  end_job(
      fmt::format("rank {}: {} might match a message from rank {} of the communicator, tag {}, that"
                  " was received ahead of its MPI_Recv. Remedy: run the program without"
                  " --predict-bounce",
                  rank, function, taken_->channel.source, taken_->channel.tag));
}

void BounceReceives::forget(MPI_Comm communicator) {
  const record::Word word = record::word_of(communicator);
  excluded_.erase(word);
  receives_.forget(word);
  if (!taken_ || taken_->channel.communicator != word) return;
  abandoned_.push_back(std::move(*taken_));
  taken_.reset();
}

void start_bouncing(std::int64_t least_bytes, predict::Mode mode, bool waits_by_polls) {
  if (least_bytes == 0 || !waits_by_polls) return;
  if (mode != predict::Mode::guarded && mode != predict::Mode::always) return;
  static BounceReceives of_process(least_bytes, mode == predict::Mode::guarded, report());
  detail::bounces_of_process = &of_process;
}

}  // namespace tasuki::mpi::ahead
