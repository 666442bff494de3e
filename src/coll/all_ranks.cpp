#include <tasuki/detail/coll/simulator.hpp>

#include <tasuki/detail/base/assert.hpp>
#include <tasuki/detail/coll/executor.hpp>

#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

namespace tasuki::coll {
namespace {

/// Messages between ranks, each until both ends have come to it.
struct Messages {
  /// From, to, sequence.
  using Key = std::tuple<int, int, std::uint32_t>;
  struct Receive {
    Key key;
    Execution* execution;
    std::span<std::byte> into;
  };

  std::map<Key, std::vector<std::byte>> sent;
  std::deque<Receive> awaited;

  /// Until nothing is awaited.
  void deliver() {
    std::size_t missed_count = 0;
    while (!awaited.empty()) {
      const Receive receive = awaited.front();
      awaited.pop_front();
      const auto found = sent.find(receive.key);
      if (found == sent.end()) {
        awaited.push_back(receive);
        TASUKI_ASSERT(++missed_count <= awaited.size());
        continue;
      }
      missed_count = 0;
      TASUKI_ASSERT(found->second.size() == receive.into.size());
      std::memcpy(receive.into.data(), found->second.data(), receive.into.size());
      sent.erase(found);
      if (receive.execution->transfer_done()) receive.execution->advance();
    }
  }
};

/// One rank's end of a size exchange.
struct Exchange final : Channel {
  Exchange(const AlgorithmDescriptor& algorithm, const Shape& shape, const Parameters& given,
           Messages& with)
      : sizes(exchanged_sizes_count(algorithm, shape, given)),
        schedule(make_schedule(algorithm, shape, given)),
        scratch(schedule.scratch_count),
        messages(with),
        rank(shape.rank),
        execution(schedule,
                  {reinterpret_cast<const std::byte*>(shape.send_counts.data()),
                   reinterpret_cast<std::byte*>(sizes.data()),
                   reinterpret_cast<std::byte*>(scratch.data()), sizeof(std::size_t), nullptr},
                  *this) {}

  bool send(Execution&, int peer, std::uint32_t sequence,
            std::span<const std::byte> bytes) override {
    messages.sent[{rank, peer, sequence}].assign(bytes.begin(), bytes.end());
    return true;
  }
  bool receive(Execution& receiver, int peer, std::uint32_t sequence,
               std::span<std::byte> into) override {
    messages.awaited.push_back({{peer, rank, sequence}, &receiver, into});
    return false;
  }

  std::vector<std::size_t> sizes;
  Schedule schedule;
  std::vector<std::size_t> scratch;
  Messages& messages;
  int rank;
  Execution execution;
};

/// What each rank learns.
std::vector<std::vector<std::size_t>> exchange_sizes(const AlgorithmDescriptor& algorithm,
                                                     std::span<const Shape> shapes,
                                                     const Parameters& given) {
  Messages messages;
  std::vector<std::unique_ptr<Exchange>> exchanges;
  for (const Shape& shape : shapes) {
    exchanges.push_back(std::make_unique<Exchange>(algorithm, shape, given, messages));
    exchanges.back()->execution.advance();
  }
  messages.deliver();
  std::vector<std::vector<std::size_t>> sizes;
  for (const auto& exchange : exchanges) {
    TASUKI_ASSERT(exchange->execution.done());
    sizes.push_back(std::move(exchange->sizes));
  }
  return sizes;
}

}  // namespace

std::vector<Schedule> make_schedules(const AlgorithmDescriptor& algorithm,
                                     std::span<const Shape> shapes, const Parameters& given) {
  std::vector<Schedule> schedules;
  if (!algorithm.exchanges_sizes()) {
    for (const Shape& shape : shapes) schedules.push_back(make_schedule(algorithm, shape, given));
    return schedules;
  }
  const auto sizes = exchange_sizes(algorithm, shapes, given);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    schedules.push_back(make_schedule_after(algorithm, shapes[i], sizes[i], given));
  }
  return schedules;
}

}  // namespace tasuki::coll
