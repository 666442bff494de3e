#include "runtime/calls/bulk_records.hpp"

#include <memory>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <utility>

#include "runtime/calls/dispatcher.hpp"

namespace tasuki::runtime {
namespace {

struct CountedArrival : transport::Completion {
  Traffic* traffic;
  transport::Completion* completion;
};

/// Pulls the payload.
struct LargeArrival : transport::Completion {
  Rank* self;
  int source;
  Handler handler;
  Payload payload;
};

/// Of a record with so much payload, which the caller fills.
LargeArrival* begin_arrival(Rank& self, int source, CodeAddress code, std::size_t payload_bytes) {
  self.dispatcher->forget_record();  // What it brings is counted when it is run.
  self.dispatcher->early_receives().note_announced(source, payload_bytes);
  auto* arrival = new LargeArrival;
  arrival->self = &self;
  arrival->source = source;
  arrival->handler = reinterpret_cast<Handler>(self.sender.modules().decode(code));
  arrival->payload = self.dispatcher->payload_memory().take(payload_bytes);
  arrival->done = [](transport::Completion* completion) {
    const std::unique_ptr<LargeArrival> owned(static_cast<LargeArrival*>(completion));
    owned->self->dispatcher->deliver_later(owned->source, owned->handler, std::move(owned->payload),
                                           Delivered::message);
  };
  return arrival;
}

/// The bulk data that the running handler announces, to where they belong in the payload.
void pull(Rank& self, LargeArrival* arrival, std::size_t offset) {
  accept_bulk(self, arrival->source, self.dispatcher->bulk_arrival().token,
              arrival->payload.memory.get() + offset, arrival);
}

}  // namespace

void accept_bulk(Rank& self, int source, std::uint64_t token, std::byte* into,
                 transport::Completion* completion) {
  auto* counted = new CountedArrival;
  counted->traffic = &self.traffic;
  counted->completion = completion;
  counted->done = [](transport::Completion* arrived) {
    const std::unique_ptr<CountedArrival> owned(static_cast<CountedArrival*>(arrived));
    --owned->traffic->bulk_under_way_count;
    owned->completion->done(owned->completion);
  };
  ++self.traffic.bulk_under_way_count;
  self.transport.lane(source).accept(token, into, counted);
}

void handle_large_record(Rank& self, int source, Reader& reader) {
  const auto code = reader.read<CodeAddress>();
  const std::size_t payload_bytes = self.dispatcher->bulk_arrival().bytes;
  pull(self, begin_arrival(self, source, code, payload_bytes), 0);
}

void handle_split_record(Rank& self, int source, Reader& reader) {
  const auto split = reader.read<SplitRecord>();
  const std::size_t data_bytes = self.dispatcher->bulk_arrival().bytes;
  LargeArrival* const arrival =
      begin_arrival(self, source, split.code, data_bytes + split.rest_bytes);
  std::byte* const payload = arrival->payload.memory.get();
  reader.read_bytes(payload, split.data_offset);
  reader.read_bytes(payload + split.data_offset + data_bytes, split.rest_bytes - split.data_offset);
  pull(self, arrival, split.data_offset);
}

}  // namespace tasuki::runtime
