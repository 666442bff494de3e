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
  self.dispatcher->forget_record();  // What it brings is counted when it is run.
  const auto code = reader.read<CodeAddress>();
  const BulkArrival bulk = self.dispatcher->bulk_arrival();
  self.dispatcher->early_receives().note_announced(source, bulk.bytes);
  auto* arrival = new LargeArrival;
  arrival->self = &self;
  arrival->source = source;
  arrival->handler = reinterpret_cast<Handler>(self.sender.modules().decode(code));
  arrival->payload = self.dispatcher->payload_memory().take(bulk.bytes);
  arrival->done = [](transport::Completion* completion) {
    const std::unique_ptr<LargeArrival> owned(static_cast<LargeArrival*>(completion));
    owned->self->dispatcher->deliver_later(owned->source, owned->handler, std::move(owned->payload),
                                           Delivered::message);
  };
  accept_bulk(self, source, bulk.token, arrival->payload.memory.get(), arrival);
}

}  // namespace tasuki::runtime
