#include "runtime/memory/bulk.hpp"

#include <memory>

#include "runtime/world/hang_report.hpp"

namespace tasuki::runtime {
namespace {

struct CountedArrival : transport::Completion {
  HangReport* hang_report;
  transport::Completion* completion;
};

}  // namespace

void accept_bulk(World& world, std::uint64_t token, std::byte* into,
                 transport::Completion* completion) {
  auto* counted = new CountedArrival;
  counted->hang_report = &world.hang_report();
  counted->completion = completion;
  counted->done = [](transport::Completion* self) {
    const std::unique_ptr<CountedArrival> owned(static_cast<CountedArrival*>(self));
    owned->hang_report->transfer_ends();
    owned->completion->done(owned->completion);
  };
  world.hang_report().transfer_begins();
  world.transport().accept(token, into, counted);
}

}  // namespace tasuki::runtime
