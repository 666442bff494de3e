#include <tasuki/detail/coll/all_ranks.hpp>

#include <tasuki/detail/base/assert.hpp>
#include <tasuki/detail/coll/executor.hpp>

#include <cstring>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

namespace tasuki::coll {
namespace {

/// Holds what has been sent until it is received. Receives that come too early are tried again.
class Mailbox {
 public:
  /// From, to, sequence.
  using Key = std::tuple<int, int, std::uint32_t>;
  struct Wanted {
    Execution* execution;
    std::span<std::byte> into;
  };

  void put(const Key& key, std::span<const std::byte> bytes) {
    const auto wanted = wanted_.find(key);
    if (wanted == wanted_.end()) {
      sent_.emplace(key, std::vector<std::byte>(bytes.begin(), bytes.end()));
      return;
    }
    const Wanted receive = wanted->second;
    wanted_.erase(wanted);
    TASUKI_ASSERT(bytes.size() == receive.into.size());
    std::memcpy(receive.into.data(), bytes.data(), bytes.size());
    if (receive.execution->transfer_done()) ready_.push_back(receive.execution);
  }

  bool take(const Key& key, const Wanted& receive) {
    const auto sent = sent_.find(key);
    if (sent == sent_.end()) {
      wanted_.emplace(key, receive);
      return false;
    }
    TASUKI_ASSERT(sent->second.size() == receive.into.size());
    std::memcpy(receive.into.data(), sent->second.data(), receive.into.size());
    sent_.erase(sent);
    return true;
  }

  std::vector<Execution*>& ready() { return ready_; }

 private:
  std::map<Key, std::vector<std::byte>> sent_;
  std::map<Key, Wanted> wanted_;
  std::vector<Execution*> ready_;
};

/// One rank's end of it.
class Port final : public Channel {
 public:
  Port(Mailbox& mailbox, int rank) : mailbox_(mailbox), rank_(rank) {}
  bool send(Execution&, int peer, std::uint32_t sequence,
            std::span<const std::byte> bytes) override {
    mailbox_.put({rank_, peer, sequence}, bytes);
    return true;
  }
  bool receive(Execution& execution, int peer, std::uint32_t sequence,
               std::span<std::byte> into) override {
    return mailbox_.take({peer, rank_, sequence}, {&execution, into});
  }

 private:
  Mailbox& mailbox_;
  int rank_;
};

/// One rank's end of a size exchange.
struct Exchange {
  Exchange(const AlgorithmDescriptor& algorithm, const Shape& shape, const Parameters& given,
           Mailbox& mailbox)
      : schedule(make_schedule(algorithm, shape, given)),
        sizes(exchanged_sizes_count(algorithm, shape, given)),
        scratch(schedule.scratch_count),
        port(mailbox, shape.rank),
        execution(schedule,
                  {reinterpret_cast<const std::byte*>(shape.send_counts.data()),
                   reinterpret_cast<std::byte*>(sizes.data()),
                   reinterpret_cast<std::byte*>(scratch.data()), sizeof(std::size_t), nullptr},
                  port) {}

  Schedule schedule;
  std::vector<std::size_t> sizes;
  std::vector<std::size_t> scratch;
  Port port;
  Execution execution;
};

/// What each rank learns.
std::vector<std::vector<std::size_t>> exchange_sizes(const AlgorithmDescriptor& algorithm,
                                                     std::span<const Shape> shapes,
                                                     const Parameters& given) {
  Mailbox mailbox;
  std::vector<std::unique_ptr<Exchange>> exchanges;
  for (const Shape& shape : shapes) {
    exchanges.push_back(std::make_unique<Exchange>(algorithm, shape, given, mailbox));
    mailbox.ready().push_back(&exchanges.back()->execution);
  }
  while (!mailbox.ready().empty()) {
    Execution* next = mailbox.ready().back();
    mailbox.ready().pop_back();
    next->advance();
  }
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
