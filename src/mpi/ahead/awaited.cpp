#include "mpi/ahead/awaited.hpp"

#include "mpi/ahead/earlier.hpp"
#include "mpi/ahead/reporting.hpp"
#include "mpi/record/requests.hpp"

#include <tasuki/detail/predict/registry.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace tasuki::mpi::ahead {
namespace {

record::Requests& open_receives() {
  static record::Requests of_process;
  return of_process;
}

record::Request& add_open(MPI_Request request, const record::Request& receive) {
  record::Request& open = open_receives().add(record::word_of(request));
  const std::uint32_t number = open.number;
  open = receive;
  open.number = number;
  return open;
}

/// The receive has ended, or nobody knows how it does. A persistent one may be started again.
void end_open(record::Word word) noexcept {
  record::Request* const open = open_receives().find(word);
  if (open != nullptr && open->is_persistent) {
    open->is_active = false;
  } else {
    open_receives().forget(word);
  }
}

/// Whether data of this type lie as they come, without gaps, from the beginning of the buffer.
bool is_in_one_piece(const Buffer& buffer, MPI_Count size) {
  MPI_Aint first = 0;
  MPI_Aint length = 0;
  PMPI_Type_get_true_extent(buffer.datatype, &first, &length);
  if (first != 0 || length != size || buffer.count == 1) return first == 0 && length == size;
  PMPI_Type_get_extent(buffer.datatype, &first, &length);
  return length == size;
}

/// Of a receive, or of a probe, which has room for any message.
record::Request described(const Buffer& buffer, int source, int tag, MPI_Comm comm) {
  record::Request one;
  one.peer = source;
  one.tag = tag;
  one.communicator_word = record::word_of(comm);
  if (buffer.datatype == MPI_DATATYPE_NULL) return one;
  MPI_Count size = 0;
  PMPI_Type_size_x(buffer.datatype, &size);
  one.bytes = static_cast<std::uint64_t>(size) * static_cast<std::uint64_t>(buffer.count);
  const bool is_large = one.bytes >= static_cast<std::uint64_t>(Pages::least_bytes);
  if (is_large && is_in_one_piece(buffer, size)) one.buffer = buffer.begin;
  return one;
}

predict::Receive arguments_of(const record::Request& request, bool has_room) {
  predict::Receive receive;
  receive.arguments = {.source = request.peer,
                       .tag = request.tag,
                       .communicator = number_of(request.communicator_word),
                       .message_bytes = static_cast<std::int64_t>(request.bytes)};
  receive.given.insert(predict::Field::communicator).insert(predict::Field::kind);
  if (request.peer != MPI_ANY_SOURCE) receive.given.insert(predict::Field::source);
  if (request.tag != MPI_ANY_TAG) receive.given.insert(predict::Field::tag);
  if (has_room) receive.given.insert(predict::Field::message_bytes);
  return receive;
}

/// What a status says of the message of a receive with these arguments.
predict::Message message_of(const MPI_Status& status, const predict::Receive& receive) {
  predict::Message message = receive.arguments;
  message.source = status.MPI_SOURCE;
  message.tag = status.MPI_TAG;
  message.message_bytes = message_bytes_of(status);
  return message;
}

/// The default one, or what an earlier run says.
std::unique_ptr<predict::Predictor> wanted_predictor() {
  const RecordedRun* const earlier = earlier_run();
  if (earlier == nullptr) {
    return predict::make_predictor(predict::default_predictor(), {.form = predict::default_form});
  }
  return predict::make_predictor(predict::predictor_named("earlier_run"),
                                 {.form = predict::Form::whole, .earlier = earlier->arrivals()});
}

}  // namespace

std::int64_t message_bytes_of(const MPI_Status& status) noexcept {
  MPI_Count bytes = 0;
  PMPI_Get_elements_x(&status, MPI_BYTE, &bytes);
  return std::max<MPI_Count>(bytes, 0);
}

void start_predicting(predict::Mode mode, bool waits_by_polls) {
  if (!waits_by_polls || (mode != predict::Mode::guarded && mode != predict::Mode::always)) return;
  static Predictions of_process(wanted_predictor(), mode == predict::Mode::guarded, report());
  detail::predictions_of_process = &of_process;
}

void note_posted(MPI_Request request, const Buffer& buffer, int source, int tag, MPI_Comm comm) {
  add_open(request, described(buffer, source, tag, comm));
}

void note_prepared(MPI_Request request, const Buffer& buffer, int source, int tag, MPI_Comm comm) {
  record::Request& prepared = add_open(request, described(buffer, source, tag, comm));
  prepared.is_persistent = true;
  prepared.is_active = false;
}

void note_started(const MPI_Request* requests, int count) noexcept {
  if (!follows_persistent() || requests == nullptr) return;
  for (int i = 0; i < count; ++i) {
    record::Request* const open = open_receives().find(record::word_of(requests[i]));
    if (open == nullptr || !open->is_persistent) continue;
    open->is_active = true;
    count_receive(open->peer);
  }
}

void forget_posted(MPI_Request request) noexcept {
  open_receives().forget(record::word_of(request));
}

Awaited::Awaited(const Buffer& buffer, int source, int tag, MPI_Comm comm) {
  if (!is_predicting() || detail::is_awaiting) return;
  const record::Request one = described(buffer, source, tag, comm);
  detail::predictions_of_process->begin();
  detail::predictions_of_process->expect(arguments_of(one, buffer.datatype != MPI_DATATYPE_NULL),
                                         one.buffer);
  places_.push_back({0, 0});
  detail::is_awaiting = true;
}

Awaited::Awaited(const MPI_Request* requests, int count) {
  if (!is_predicting() || requests == nullptr) return;
  if (detail::is_awaiting) {
    // Nobody follows how these end.
    for (int i = 0; i < count; ++i) end_open(record::word_of(requests[i]));
    return;
  }
  detail::predictions_of_process->begin();
  for (int i = 0; i < count; ++i) {
    const record::Word word = record::word_of(requests[i]);
    const record::Request* const open = open_receives().find(word);
    if (open == nullptr || !open->is_active) continue;
    detail::predictions_of_process->expect(arguments_of(*open, true), open->buffer);
    places_.push_back({i, word});
  }
  detail::is_awaiting = !places_.empty();
}

Awaited::~Awaited() {
  if (!places_.empty()) detail::is_awaiting = false;
}

void Awaited::ended(int index, const MPI_Status& status) noexcept {
  const auto place = std::lower_bound(places_.begin(), places_.end(), index,
                                      [](const Place& one, int at) { return one.index < at; });
  if (place == places_.end() || place->index != index) return;
  const auto number = static_cast<std::size_t>(place - places_.begin());
  Predictions& predictions = *detail::predictions_of_process;
  // A persistent receive that an error has ended before is inactive: its status is empty.
  if (status.MPI_SOURCE != MPI_PROC_NULL && status.MPI_SOURCE != MPI_ANY_SOURCE) {
    predictions.arrived(number, message_of(status, predictions.receive(number)));
  }
  end_open(place->word);
}

void Awaited::seen(const MPI_Status& status) noexcept {
  Predictions& predictions = *detail::predictions_of_process;
  if (status.MPI_SOURCE != MPI_PROC_NULL) {
    predictions.seen(0, message_of(status, predictions.receive(0)));
  }
}

void Awaited::forget_ended(const MPI_Request* requests) noexcept {
  for (const Place& one : places_) {
    if (requests[one.index] == MPI_REQUEST_NULL) open_receives().forget(one.word);
  }
}

}  // namespace tasuki::mpi::ahead
