#include "runtime/calls/bulk.hpp"

#include <memory>
#include <tasuki/detail/runtime/calls/rank.hpp>

namespace tasuki::runtime {
namespace {

struct CountedArrival : transport::Completion {
  Traffic* traffic;
  transport::Completion* completion;
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

}  // namespace tasuki::runtime
