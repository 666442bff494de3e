#include "runtime/calls/early_receives.hpp"

#include <algorithm>
#include <cstring>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <utility>

#include "runtime/calls/clearances.hpp"
#include "runtime/calls/dispatcher.hpp"
#include "runtime/calls/service_record.hpp"

namespace tasuki::runtime {
namespace {

/// Over TCP a call with 256 KiB arrives earlier, one with 1 MiB does not (`bench_long_data`;
/// docs/design/prediction.md).
constexpr std::size_t early_most_bytes = std::size_t{512} << 10;
/// Lengths of one source that are remembered: more than there are receives.
constexpr std::size_t lengths_most = 2 * EarlyReceives::receives_most;
/// What an announcement costs that is not sent, where that is least: Open MPI in shared memory
/// (`bench_long_data`).
constexpr std::int64_t announcement_ns = 200;
/// The three messages by which a receive is posted and taken back, at 2 us each over TCP
/// (`bench_long_data` with 4 KiB), and the polls that test it.
constexpr std::int64_t agreement_ns = 10'000;

}  // namespace

struct EarlyReceives::EarlyReceive : transport::Completion {
  std::size_t data_bytes() const noexcept { return payload_bytes + sizeof(EarlyTrailer); }
  bool has_all() const noexcept { return is_answered && arrived_count == sent_count; }

  EarlyReceives* owner = nullptr;
  int source = -1;
  int number = transport::Lane::no_posted_receive;  ///< Of the lane's receive.
  std::size_t payload_bytes = 0;
  Payload payload;  ///< Where the data go; none while it is not posted.
  std::uint64_t arrived_count = 0;
  std::uint64_t used_at = 0;  ///< `records_count_` when its data came last.
  // While it is taken back:
  bool is_ending = false;
  bool is_answered = false;
  std::uint64_t sent_count = 0;
};

EarlyReceives::EarlyReceives(Rank& self)
    : self_(self), handled_counts_(static_cast<std::size_t>(self.size)) {}
EarlyReceives::~EarlyReceives() = default;

void EarlyReceives::start(bool is_guarded) noexcept {
  is_on_ = true;
  is_guarded_ = is_guarded;
}

void EarlyReceives::stop() noexcept {
  is_on_ = false;
  has_unused_ = false;
  due_.clear();
}

bool EarlyReceives::takes(std::size_t payload_bytes) const noexcept {
  const transport::Capabilities& can = self_.transport.capabilities();
  const std::size_t data_bytes = payload_bytes + sizeof(EarlyTrailer);
  return can.posted_least_bytes != 0 && data_bytes >= can.posted_least_bytes &&
         data_bytes <= std::min(can.posted_most_bytes, early_most_bytes);
}

// ---- what comes --------------------------------------------------------------------------------

void EarlyReceives::note_announced(int source, std::size_t payload_bytes) {
  if (!is_on_) return;
  count_record();
  if (!takes(payload_bytes) || sources_[source].is_refused) return;
  Length& length = note_length(source, payload_bytes);
  // It may have left before its sender knew of the receive.
  if (length.receive != nullptr || length.is_due) return;
  if (is_guarded_ && !sources_[source].guard.allows()) return;
  if (length.count < (is_guarded_ ? equal_records_least : 1)) return;
  length.is_due = true;
  due_.push_back({source, payload_bytes});
}

void EarlyReceives::count_record() noexcept {
  ++records_count_;
  has_unused_ = is_on_ && longest_unused() != nullptr;
}

EarlyReceives::Length* EarlyReceives::find(int source, std::size_t payload_bytes) noexcept {
  std::vector<Length>& lengths = sources_[source].lengths;
  const auto found = std::ranges::find(lengths, payload_bytes, &Length::payload_bytes);
  return found == lengths.end() ? nullptr : &*found;
}

EarlyReceives::Length& EarlyReceives::note_length(int source, std::size_t payload_bytes) {
  std::vector<Length>& lengths = sources_[source].lengths;
  Length* length = find(source, payload_bytes);
  if (length == nullptr && lengths.size() < lengths_most) length = &lengths.emplace_back();
  if (length == nullptr) {
    length = &*std::ranges::min_element(lengths, {}, [](const Length& one) {
      return std::pair(one.receive != nullptr, one.used_at);
    });
    std::erase_if(due_, [&](const Due& one) {
      return one.source == source && one.payload_bytes == length->payload_bytes;
    });
    *length = {};
  }
  length->payload_bytes = payload_bytes;
  length->used_at = records_count_;
  ++length->count;
  return *length;
}

/// Returns: a receive to be taken back; nullptr if there is none.
EarlyReceives::EarlyReceive* EarlyReceives::longest_unused() noexcept {
  const auto is_unused = [&](const auto& one) {
    return !one->is_ending && records_count_ - one->used_at >= unused_records_least;
  };
  const auto found = std::ranges::find_if(receives_, is_unused);
  return found == receives_.end() ? nullptr : found->get();
}

void EarlyReceives::note_arrived(EarlyReceive& receive) {
  Payload payload = std::exchange(receive.payload, {});
  payload.bytes = receive.payload_bytes;
  EarlyTrailer trailer;
  std::memcpy(&trailer, payload.memory.get() + payload.bytes, sizeof trailer);
  ++receive.arrived_count;
  receive.used_at = records_count_ + 1;
  count_record();
  counters_.count(1, 0);
  ++to_post_count_;
  ++self_.traffic.bulk_under_way_count;
  held_.push_back({receive.source, trailer, std::move(payload)});
  deliver_held();
}

/// In the order in which they came.
void EarlyReceives::deliver_held() {
  const auto may_be_delivered = [this](const Held& one) {
    return handled_counts_[static_cast<std::size_t>(one.source)] >= one.trailer.messages_before;
  };
  for (Held& one : held_) {
    if (!may_be_delivered(one)) continue;
    --self_.traffic.bulk_under_way_count;
    const std::uintptr_t handler = self_.sender.modules().decode(one.trailer.code);
    self_.dispatcher->deliver_later(one.source, reinterpret_cast<Handler>(handler),
                                    std::move(one.payload), Delivered::message);
  }
  std::erase_if(held_, may_be_delivered);
}

// ---- posting and taking back -------------------------------------------------------------------

void EarlyReceives::work() {
  has_unused_ = false;
  if (EarlyReceive* const unused = longest_unused()) return begin_to_take_back(*unused);
  if (due_.empty()) return;
  const Due due = due_.back();
  due_.pop_back();
  Length& length = *find(due.source, due.payload_bytes);
  length.is_due = false;
  // While there are no more receives, its next record makes it due again.
  if (receives_.size() < receives_most) post_first(due.source, length);
}

void EarlyReceives::post_first(int source, Length& length) {
  auto receive = std::make_unique<EarlyReceive>();
  receive->owner = this;
  receive->source = source;
  receive->payload_bytes = length.payload_bytes;
  receive->used_at = records_count_;
  receive->payload = self_.dispatcher->payload_memory().take(receive->data_bytes());
  receive->done = [](transport::Completion* arrived) {
    auto& it = *static_cast<EarlyReceive*>(arrived);
    it.owner->note_arrived(it);
  };
  receive->number = self_.transport.lane(source).post_single_receive(
      {receive->payload.memory.get(), receive->data_bytes()}, receive.get());
  if (receive->number == transport::Lane::no_posted_receive) {
    sources_[source].is_refused = true;
    self_.dispatcher->payload_memory().give_back(std::move(receive->payload));
    return;
  }
  length.receive = receive.get();
  receives_.push_back(std::move(receive));
  send_service_record(self_, source, &handle_clear, length.receive->number,
                      std::uint64_t{length.receive->data_bytes()});
}

void EarlyReceives::post_again() {
  to_post_count_ = 0;
  for (const auto& receive : receives_) {
    if (receive->payload.memory != nullptr || receive->has_all()) continue;
    receive->payload = self_.dispatcher->payload_memory().take(receive->data_bytes());
    self_.transport.lane(receive->source)
        .post_again(receive->number, receive->payload.memory.get());
  }
  const auto has_all = [](const auto& receive) { return receive->has_all(); };
  for (auto ended = receives_.begin();
       (ended = std::ranges::find_if(receives_, has_all)) != receives_.end();) {
    end(**ended);
  }
}

void EarlyReceives::begin_to_take_back(EarlyReceive& receive) {
  receive.is_ending = true;
  send_service_record(self_, receive.source, &handle_take_back, receive.number);
}

/// Requires: receive.has_all(); not inside its `done`.
void EarlyReceives::end(EarlyReceive& receive) {
  self_.transport.lane(receive.source).take_back(receive.number);
  self_.dispatcher->payload_memory().give_back(std::move(receive.payload));
  *find(receive.source, receive.payload_bytes) = {};
  sources_[receive.source].guard.record(
      static_cast<std::int64_t>(receive.arrived_count) * announcement_ns - agreement_ns);
  counters_.count(1, 1);
  std::erase_if(receives_, [&](const auto& one) { return one.get() == &receive; });
}

// ---- the agreement of both ends ----------------------------------------------------------------

/// On the sender: the receive is posted.
void EarlyReceives::handle_clear(Rank& self, int source, Reader& reader) {
  self.dispatcher->forget_record();
  const auto number = reader.read<int>();
  const auto bytes = reader.read<std::uint64_t>();
  self.sender.clearances().add(source, {number, bytes});
  service_record_done(self);
}

/// On the sender: nothing more may go there.
void EarlyReceives::handle_take_back(Rank& self, int source, Reader& reader) {
  self.dispatcher->forget_record();
  const auto number = reader.read<int>();
  send_service_record(self, source, &handle_taken_back, number,
                      self.sender.clearances().end(source, number));
  service_record_done(self);
}

/// On the receiver: so much went there, a part of which may be on its way.
void EarlyReceives::handle_taken_back(Rank& self, int source, Reader& reader) {
  self.dispatcher->forget_record();
  EarlyReceives& own = self.dispatcher->early_receives();
  const auto number = reader.read<int>();
  const auto found = std::ranges::find_if(own.receives_, [&](const auto& one) {
    return one->source == source && one->number == number;
  });
  EarlyReceive& receive = **found;
  receive.sent_count = reader.read<std::uint64_t>();
  receive.is_answered = true;
  if (receive.has_all()) own.end(receive);
  service_record_done(self);
}

}  // namespace tasuki::runtime
