#include "mpi/shim/completions.hpp"

#include "mpi/shim/function_numbers.hpp"

#include <algorithm>
#include <utility>

namespace tasuki::mpi::shim {
namespace {

events::Event event_of(const record::Request& request, std::uint16_t function,
                       const events::Event& call) {
  events::Event event{};
  event.enter_ticks = event.leave_ticks = events::ticks_now();
  event.function = function;
  event.communicator = request.communicator;
  event.site = call.site;
  event.thread = call.thread;
  event.request = request.number;
  event.tag = request.tag;
  const bool is_receive = request.direction == Direction::receive;
  event.destination = request.direction == Direction::send ? request.peer : events::no_rank;
  event.source = is_receive ? request.peer : events::no_rank;
  (is_receive ? event.received_bytes : event.sent_bytes) = request.bytes;
  return event;
}

bool was_cancelled(const record::Request& request, const MPI_Status& status) {
  int flag = 0;
  if (request.may_be_cancelled) PMPI_Test_cancelled(&status, &flag);
  return flag != 0;
}

/// Whether each status has an error code of its own.
bool is_in_status(int code) {
  int error_class = MPI_SUCCESS;
  if (code != MPI_SUCCESS) PMPI_Error_class(code, &error_class);
  return error_class == MPI_ERR_IN_STATUS;
}

/// What a receive has got: as it was asked for, unless the status says more. Nothing comes from
/// MPI_PROC_NULL; and in MPICH 5 the status of an MPI_Isendrecv is that of an earlier request.
void note_message(events::Event& event, const record::Request& request, const MPI_Status& status) {
  const bool has_its_tag = request.tag == events::any_tag || request.tag == status.MPI_TAG;
  if (status.MPI_SOURCE == MPI_PROC_NULL || !has_its_tag) return;
  const auto* const communicator =
      record::recorder().communicators().find(request.communicator_word);
  if (communicator != nullptr) event.source = world_rank_in(*communicator, status.MPI_SOURCE);
  event.received_tag = status.MPI_TAG;
  event.received_bytes = received_bytes(status);
}

}  // namespace

std::vector<record::Word> words_of(const MPI_Request* requests, int count) {
  if (requests == nullptr || count <= 0) return {};
  std::vector<record::Word> words(static_cast<std::size_t>(count));
  std::transform(requests, requests + count, words.begin(),
                 [](MPI_Request request) { return record::word_of(request); });
  return words;
}

Completions::Completions(Call& call, std::vector<record::Word> words)
    : call_(call), words_(std::move(words)), known_(words_.size()) {
  note_what_is_waited_for();
}

void Completions::note_what_is_waited_for() {
  const auto guard = record::recorder().lock();
  events::Event& event = call_.event();
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const record::Request* const request = record::recorder().requests().find(words_[i]);
    if (request == nullptr || !request->is_active) continue;
    known_[i] = *request;
    if (event.request != 0) continue;
    event.request = request->number;
    event.communicator = request->communicator;
    event.tag = request->tag;
    if (request->direction == Direction::send) event.destination = request->peer;
    if (request->direction == Direction::receive) event.source = request->peer;
  }
}

void Completions::completed(std::size_t index, MPI_Request now, const MPI_Status& status) {
  record::Recorder& recorder = record::recorder();
  const auto guard = recorder.lock();
  if (index >= words_.size() || known_[index].number == 0) return;
  record::Request* const now_known = recorder.requests().find(words_[index]);
  const bool is_same = now_known != nullptr && now_known->number == known_[index].number;
  const record::Request& request = is_same ? *now_known : known_[index];
  if (!was_cancelled(request, status)) {
    events::Event event = event_of(request, function_number::completed, call_.event());
    if (request.direction == Direction::receive) note_message(event, request, status);
    recorder.add(event);
  }
  if (!is_same) return;
  if (request.is_persistent) {
    now_known->is_active = false;
  } else if (now == MPI_REQUEST_NULL) {
    recorder.requests().forget(words_[index]);
  }
}

void Completions::failed(std::size_t index, MPI_Request now) {
  if (now != MPI_REQUEST_NULL || index >= words_.size()) return;
  const auto guard = record::recorder().lock();
  record::Requests& requests = record::recorder().requests();
  const record::Request* const request = requests.find(words_[index]);
  if (request != nullptr && request->number == known_[index].number) requests.forget(words_[index]);
}

void Completions::ended(int code, std::size_t index, MPI_Request now, const MPI_Status& status) {
  if (code == MPI_SUCCESS) {
    completed(index, now, status);
  } else {
    failed(index, now);
  }
}

void Completions::one_ended(int code, const MPI_Request* request, const MPI_Status& status) {
  if (!words_.empty()) ended(code, 0, *request, status);
}

void Completions::any_ended(int code, const MPI_Request* requests, const int* index,
                            const MPI_Status& status) {
  // MPI_UNDEFINED is negative.
  if (index == nullptr || *index < 0 || static_cast<std::size_t>(*index) >= words_.size()) return;
  ended(code, static_cast<std::size_t>(*index), requests[*index], status);
}

void Completions::all_ended(int code, const MPI_Request* requests, const MPI_Status* statuses,
                            int count) {
  const bool has_own_codes = is_in_status(code);
  for (int i = 0; i < count && static_cast<std::size_t>(i) < words_.size(); ++i) {
    const int own_code = has_own_codes ? statuses[i].MPI_ERROR : code;
    ended(own_code, static_cast<std::size_t>(i), requests[i], statuses[i]);
  }
}

void Completions::some_ended(int code, const MPI_Request* requests, const int* indices,
                             const MPI_Status* statuses, const int* done_count) {
  const bool has_own_codes = is_in_status(code);
  if (code != MPI_SUCCESS && !has_own_codes) return;
  // The count is MPI_UNDEFINED, which is negative, where no request is active.
  for (int i = 0; i < *done_count; ++i) {
    const int own_code = has_own_codes ? statuses[i].MPI_ERROR : code;
    ended(own_code, static_cast<std::size_t>(indices[i]), requests[indices[i]], statuses[i]);
  }
}

StatusRoom::StatusRoom(MPI_Status* given, bool is_ignored, int count)
    : own_(is_ignored && count > 0 ? static_cast<std::size_t>(count) : 0),
      statuses_(own_.empty() ? given : own_.data()) {}

void note_started(Call& call, const MPI_Request* requests, int count) {
  record::Recorder& recorder = record::recorder();
  const auto guard = recorder.lock();
  for (int i = 0; requests != nullptr && i < count; ++i) {
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
