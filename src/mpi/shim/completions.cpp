#include "mpi/shim/completions.hpp"

#include "mpi/shim/function_numbers.hpp"

#include <algorithm>
#include <utility>

namespace tasuki::mpi::shim {
namespace {

record::Event event_of(const record::Request& request, std::uint16_t function,
                       const record::Event& call) {
  record::Event event{};
  event.enter_ticks = event.leave_ticks = record::ticks_now();
  event.function = function;
  event.communicator = request.communicator;
  event.site = call.site;
  event.thread = call.thread;
  event.request = request.number;
  event.tag = request.tag;
  const bool is_receive = request.direction == Direction::receive;
  event.destination = request.direction == Direction::send ? request.peer : record::no_rank;
  event.source = is_receive ? request.peer : record::no_rank;
  (is_receive ? event.received_bytes : event.sent_bytes) = request.bytes;
  return event;
}

bool was_cancelled(const record::Request& request, const MPI_Status& status) {
  int flag = 0;
  if (request.may_be_cancelled) PMPI_Test_cancelled(&status, &flag);
  return flag != 0;
}

}  // namespace

std::vector<record::Word> words_of(const MPI_Request* requests, int count) {
  std::vector<record::Word> words(static_cast<std::size_t>(count));
  std::transform(requests, requests + count, words.begin(),
                 [](MPI_Request request) { return record::word_of(request); });
  return words;
}

std::vector<record::Word> words_of_fortran(const MPI_Fint* requests, int count) {
  std::vector<record::Word> words(static_cast<std::size_t>(count));
  std::transform(requests, requests + count, words.begin(),
                 [](MPI_Fint request) { return record::word_of(PMPI_Request_f2c(request)); });
  return words;
}

Completions::Completions(Call& call, std::vector<record::Word> words)
    : call_(call), words_(std::move(words)) {
  note_what_is_waited_for();
}

void Completions::note_what_is_waited_for() {
  const auto guard = record::recorder().lock();
  for (const record::Word word : words_) {
    const record::Request* const request = record::recorder().requests().find(word);
    if (request == nullptr || !request->is_active) continue;
    record::Event& event = call_.event();
    event.request = request->number;
    event.communicator = request->communicator;
    event.tag = request->tag;
    if (request->direction == Direction::send) event.destination = request->peer;
    if (request->direction == Direction::receive) event.source = request->peer;
    return;
  }
}

void Completions::completed(std::size_t index, MPI_Request now, const MPI_Status& status) {
  record::Recorder& recorder = record::recorder();
  const auto guard = recorder.lock();
  record::Request* const request = recorder.requests().find(words_[index]);
  if (request == nullptr || !request->is_active) return;
  if (!was_cancelled(*request, status)) {
    record::Event event = event_of(*request, function_number::completed, call_.event());
    if (request->direction == Direction::receive) {
      const auto* const communicator = recorder.communicators().find(request->communicator_word);
      if (communicator != nullptr) event.source = world_rank_in(*communicator, status.MPI_SOURCE);
      if (status.MPI_SOURCE != MPI_PROC_NULL) event.received_tag = status.MPI_TAG;
      event.received_bytes = received_bytes(status);
    }
    recorder.add(event);
  }
  if (request->is_persistent) {
    request->is_active = false;
  } else if (now == MPI_REQUEST_NULL) {
    recorder.requests().forget(words_[index]);
  }
}

StatusRoom::StatusRoom(MPI_Status* given, bool is_ignored, int count)
    : own_(is_ignored ? static_cast<std::size_t>(count) : 0),
      statuses_(is_ignored ? own_.data() : given) {}

void note_started(Call& call, const MPI_Request* requests, int count) {
  record::Recorder& recorder = record::recorder();
  const auto guard = recorder.lock();
  for (int i = 0; i < count; ++i) {
    record::Request* const request = recorder.requests().find(record::word_of(requests[i]));
    if (request == nullptr) continue;
    request->is_active = true;
    recorder.add(event_of(*request, function_number::started, call.event()));
  }
}

void note_freed(MPI_Request request) {
  const auto guard = record::recorder().lock();
  record::recorder().requests().forget(record::word_of(request));
}

void note_cancelled(MPI_Request request) {
  const auto guard = record::recorder().lock();
  if (auto* const open = record::recorder().requests().find(record::word_of(request))) {
    open->may_be_cancelled = true;
  }
}

}  // namespace tasuki::mpi::shim
