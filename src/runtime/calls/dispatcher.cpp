#include "runtime/calls/dispatcher.hpp"

#include <cstring>
#include <tasuki/detail/base/assert.hpp>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <utility>

namespace tasuki::runtime {
namespace {

inline void dispatch(Rank& self, int source, RecordHeader header, Reader reader) {
  ModuleTable& modules = self.sender.modules();
  std::uintptr_t code = 0;
  if (!header.has_module()) [[likely]] {
    code = modules.from_main_offset(header.offset());
  } else {
    const auto module = reader.read<std::uint64_t>();
    code = modules.decode({module, header.offset()});
  }
  reinterpret_cast<Handler>(code)(self, source, reader);
}

/// Calls `handle`, which runs a record's handler on the poller's stack.
template <class Handle>
[[gnu::noinline, gnu::cold]] void record_call(Recorder& recorder, Waits& waits, int source,
                                              std::size_t record_bytes, Handle handle) {
  waits.set_served({.label = "a message of the runtime"});  // Unless a function is called.
  Recorder::Handling handling;
  recorder.begin(handling, source, record_bytes);
  handle();
  // One that has waited has been noted then.
  recorder.end(handling, waits.scheduler().is_poller() ? waits.served().function : 0);
}

}  // namespace

Dispatcher::Dispatcher(Rank& self)
    : self_(self),
      arrivals_(self.transport.arrivals()),
      recorder_(Recorder::open(self.rank, self.size, self.transport.name(), &function_name)),
      admission_(self.sender.load(), self.waits.scheduler(),
                 self.transport.capabilities().peers_need_calls) {
  self.dispatcher = this;
}

void Dispatcher::deliver_later(int source, Handler handler, Payload payload) {
  ++self_.traffic.bulk_under_way_count;
  deliveries_.push_back(std::make_unique<Delivery>(Delivery{source, handler, std::move(payload)}));
}

inline void Dispatcher::take_in() {
  if (!admission_.may_take_in()) {
    arrivals_.progress();
  } else if (arrivals_.poll(batch_.arrival)) {
    batch_.active = true;
    batch_.cursor = batch_.arrival.bytes.data();
    batch_.end = batch_.cursor + batch_.arrival.bytes.size();
    bulk_arrival_ = {batch_.arrival.bulk_bytes, batch_.arrival.bulk_token};
  }
}

// Inlined, as what calls it is: a handler that waits takes these frames along, and processors
// mispredict each return on a stack that was switched to (about 7 ns).
inline bool Dispatcher::run_batch() {
  Rank& self = self_;
  const int source = batch_.arrival.source;
  while (batch_.cursor != batch_.end) {
    const std::byte* record = batch_.cursor;
    RecordHeader header;
    std::memcpy(&header, record, sizeof header);
    const std::size_t bytes = header.bytes();
    TASUKI_DEBUG_ASSERT(bytes != 0 &&
                        bytes <= static_cast<std::size_t>(batch_.end - batch_.cursor));
    batch_.cursor += bytes;
    ++records_handled_;
    __builtin_prefetch(record + 512);
    const auto handle = [=, &self] {
      dispatch(self, source, header, Reader(record + record_word_bytes, record + bytes));
    };
    if (recorder_ == nullptr) [[likely]] {
      handle();
    } else {
      record_call(*recorder_, self.waits, source, bytes, handle);
    }
    if (!self.waits.scheduler().is_poller()) return false;
  }
  batch_.active = false;
  arrivals_.release(batch_.arrival);
  return true;
}

bool Dispatcher::run_deliveries() {
  while (!deliveries_.empty()) {
    // Kept on this stack: if the handler is promoted the payload goes with it.
    const std::unique_ptr<Delivery> delivery = std::move(deliveries_.front());
    deliveries_.pop_front();
    --self_.traffic.bulk_under_way_count;
    ++records_handled_;
    const std::byte* const begin = delivery->payload.memory.get();
    Reader reader(begin, begin + delivery->payload.bytes);
    const auto handle = [&] { delivery->handler(self_, delivery->source, reader); };
    if (recorder_ == nullptr) [[likely]] {
      handle();
    } else {
      record_call(*recorder_, self_.waits, delivery->source, delivery->payload.bytes, handle);
    }
    payload_memory_.give_back(std::move(delivery->payload));
    if (!self_.waits.scheduler().is_poller()) return false;
  }
  return true;
}

bool Dispatcher::run(bool& did_something) {
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
