#include "runtime/calls/dispatcher.hpp"

#include <cstring>
#include <functional>
#include <tasuki/detail/base/assert.hpp>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <tasuki/view.hpp>
#include <utility>

namespace tasuki::runtime {
namespace {

/// Reads as far as the values that the record brings.
inline Handler handler_of(Rank& self, RecordHeader header, Reader& reader) {
  ModuleTable& modules = self.sender.modules();
  std::uintptr_t code = 0;
  if (!header.has_module()) [[likely]] {
    code = modules.from_main_offset(header.offset());
  } else {
    const auto module = reader.read<std::uint64_t>();
    code = modules.decode({module, header.offset()});
  }
  return reinterpret_cast<Handler>(code);
}

struct HandledMessage {
  int source;
  std::size_t bytes;
  Delivered delivered;
};

/// Runs the message's handler on the poller's stack.
[[gnu::noinline, gnu::cold]] void record_call(Recorder& recorder, Rank& self, Handler handler,
                                              Reader& reader, const HandledMessage& message) {
  self.waits.set_served({.label = "a message of the runtime"});  // Unless a function is called.
  Recorder::Handling handling;
  handling.is_message = message.delivered == Delivered::message;
  recorder.begin(handling, message.source, message.bytes);
  handler(self, message.source, reader);
  // One that has waited has been noted then.
  const bool has_waited = !self.waits.scheduler().is_poller();
  recorder.end(handling, has_waited ? 0 : self.waits.served().function,
               reinterpret_cast<std::uintptr_t>(handler));
}

}  // namespace

Dispatcher::Dispatcher(Rank& self)
    : self_(self),
      arrivals_(self.transport.arrivals()),
      recorder_(Recorder::open(self.rank, self.size, self.transport.name(), &function_name)),
      admission_(self.sender.load(), self.waits.scheduler(),
                 self.transport.capabilities().peers_need_calls),
      early_receives_(self) {
  self.dispatcher = this;
}

void Dispatcher::deliver_later(int source, Handler handler, Payload payload, Delivered delivered) {
  ++self_.traffic.bulk_under_way_count;
  deliveries_.push_back(std::make_unique<Delivery>(
      Delivery{source, handler, std::move(payload), delivered, nullptr}));
}

inline void Dispatcher::take_in() {
  if (!admission_.may_take_in()) {
    arrivals_.progress();
    return;
  }
  if (early_receives_.is_any_to_post()) [[unlikely]]
    early_receives_.post_again();
  if (arrivals_.poll(batch_.arrival)) {
    batch_.active = true;
    batch_.cursor = batch_.arrival.bytes.data();
    batch_.end = batch_.cursor + batch_.arrival.bytes.size();
    bulk_arrival_ = {batch_.arrival.bulk_bytes, batch_.arrival.bulk_token};
  }
}

// Inlined, as what calls it is: a handler that waits takes these frames along, and processors
// mispredict each return on a stack that was switched to (about 7 ns).
template <bool is_recorded>
inline bool Dispatcher::run_records() {
  Rank& self = self_;
  const int source = batch_.arrival.source;
  const std::byte* const end = batch_.end;
  const std::byte* next = batch_.cursor;
  while (next != end) {
    const std::byte* const record = next;
    RecordHeader header;
    std::memcpy(&header, record, sizeof header);
    const std::size_t bytes = header.bytes();
    TASUKI_DEBUG_ASSERT(bytes != 0 && bytes <= static_cast<std::size_t>(end - record));
    batch_.cursor = next = record + bytes;
    ++records_handled_;
    __builtin_prefetch(record + 512);
    Reader reader(record + record_word_bytes, next);
    const Handler handler = handler_of(self, header, reader);
    if constexpr (is_recorded) {
      const bool is_bulk = batch_.arrival.kind == transport::ArrivalKind::bulk;
      const std::size_t bulk_bytes = is_bulk ? bulk_arrival_.bytes : 0;
      record_call(*recorder_, self, handler, reader,
                  {source, bytes + bulk_bytes, Delivered::message});
    } else {
      handler(self, source, reader);
    }
    if (!self.waits.scheduler().is_poller()) return false;
    self.waits.end_served();
  }
  batch_.active = false;
  arrivals_.release(batch_.arrival);
  early_receives_.note_handled(source);
  return true;
}

inline bool Dispatcher::run_batch() {
  return recorder_ == nullptr ? run_records<false>() : run_records<true>();
}

std::size_t Dispatcher::running_record_bytes() const noexcept {
  if (!self_.waits.scheduler().is_poller()) return 0;
  if (running_delivery_ != nullptr) return running_delivery_->payload.bytes;
  if (!batch_.active) return 0;
  std::size_t bytes = 0;
  for (const std::byte* at = batch_.arrival.bytes.data(); at < batch_.cursor; at += bytes) {
    RecordHeader header;
    std::memcpy(&header, at, sizeof header);
    bytes = header.bytes();
    if (bytes == 0) return 0;  // The program has overwritten it.
  }
  return bytes;
}

bool Dispatcher::run_deliveries() {
  while (!deliveries_.empty()) {
    // Kept on this stack: if the handler is promoted the payload goes with it.
    const std::unique_ptr<Delivery> delivery = std::move(deliveries_.front());
    deliveries_.pop_front();
    --self_.traffic.bulk_under_way_count;
    ++records_handled_;
    running_delivery_ = delivery.get();
    const std::byte* const begin = delivery->payload.memory.get();
    Reader reader(begin, begin + delivery->payload.bytes);
    if (recorder_ == nullptr) [[likely]] {
      delivery->handler(self_, delivery->source, reader);
    } else {
      record_call(*recorder_, self_, delivery->handler, reader,
                  {delivery->source, delivery->payload.bytes, delivery->delivered});
    }
    running_delivery_ = nullptr;  // Views that are read elsewhere are not of this one.
    if (delivery->kept == nullptr) payload_memory_.give_back(std::move(delivery->payload));
    if (!self_.waits.scheduler().is_poller()) return false;
    self_.waits.end_served();
  }
  return true;
}

std::shared_ptr<const void> Dispatcher::keep_payload(const std::byte* at) {
  if (running_delivery_ == nullptr) return nullptr;
  Payload& payload = running_delivery_->payload;
  std::shared_ptr<const void>& kept = running_delivery_->kept;
  const Payload& holds = kept == nullptr ? payload : *static_cast<const Payload*>(kept.get());
  const std::byte* const begin = holds.memory.get();
  if (std::less<>()(at, begin) || std::less<>()(begin + holds.bytes, at)) return nullptr;
  if (kept != nullptr) return kept;
  kept =
      std::shared_ptr<const Payload>(new Payload(std::move(payload)), [](const Payload* of_record) {
        const std::unique_ptr<Payload> it(const_cast<Payload*>(of_record));
        Rank* const rank = Rank::current_or_null();
        if (rank != nullptr) rank->dispatcher->payload_memory().give_back(std::move(*it));
      });
  return kept;
}

std::shared_ptr<const void> kept_payload(const std::byte* at) {
  return Rank::current().dispatcher->keep_payload(at);
}

bool Dispatcher::run(bool& did_something) {
  running_delivery_ = nullptr;
  if (!batch_.active) take_in();
  if (batch_.active) {
    did_something = true;
    if (!run_batch()) return false;
  }
  if (!deliveries_.empty()) {
    did_something = true;
    if (!run_deliveries()) return false;
  }
  return true;
}

}  // namespace tasuki::runtime
