#include "checker.hpp"

#include <fmt/format.h>
#include <tasuki/detail/coll/executor.hpp>
#include <tasuki/detail/coll/simulator.hpp>

#include <cstring>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <tuple>

namespace tasuki::coll::checker {
namespace {

using Random = std::mt19937_64;

/// Carries messages between the executions of one process in a random order.
class Network {
 public:
  explicit Network(std::uint64_t seed) : random_(seed) {}

  /// One rank's end of it.
  class Port final : public coll::Channel {
   public:
    Port(Network& network, int rank) : network_(network), rank_(rank) {}
    bool send(Execution& execution, int peer, std::uint32_t sequence,
              std::span<const std::byte> bytes) override {
      return network_.send({rank_, peer, sequence}, execution, bytes);
    }
    bool receive(Execution& execution, int peer, std::uint32_t sequence,
                 std::span<std::byte> into) override {
      return network_.receive({peer, rank_, sequence}, execution, into);
    }

   private:
    Network& network_;
    int rank_;
  };

  bool idle() const { return in_flight_.empty(); }
  const std::string& failure() const { return failure_; }

  /// Delivers one message; calls `ready(execution)` for each execution that can go on.
  template <class Ready>
  void deliver(Ready ready) {
    const std::size_t index = random_() % in_flight_.size();
    std::swap(in_flight_[index], in_flight_.back());
    Message message = std::move(in_flight_.back());
    in_flight_.pop_back();
    if (message.completes_on_delivery && message.sender->transfer_done()) ready(*message.sender);
    const auto posted = posted_.find(message.key);
    if (posted == posted_.end()) {
      arrived_.emplace(message.key, std::move(message));
      return;
    }
    const Receive receive = posted->second;
    posted_.erase(posted);
    take(message, receive.into);
    if (message.waits_for_receiver && message.sender->transfer_done()) ready(*message.sender);
    if (receive.execution->transfer_done()) ready(*receive.execution);
  }

  /// Executions that can go on since a receive met its message inside `advance`.
  std::vector<Execution*> take_released() { return std::exchange(released_, {}); }

  std::string leftovers() const {
    if (!arrived_.empty()) return describe(arrived_.begin()->first) + " is never received";
    if (!posted_.empty()) return describe(posted_.begin()->first) + " is never sent";
    return {};
  }

 private:
  using Key = std::tuple<int, int, std::uint32_t>;  // From, to, sequence.
  struct Message {
    Key key;
    Execution* sender = nullptr;
    std::span<const std::byte> source;  ///< Still the sender's own, if `waits_for_receiver`.
    Bytes copy;
    bool completes_on_delivery = false;
    bool waits_for_receiver = false;
  };
  struct Receive {
    Execution* execution = nullptr;
    std::span<std::byte> into;
  };

  static std::string describe(const Key& key) {
    return fmt::format("message {} from {} to {}", std::get<2>(key), std::get<0>(key),
                       std::get<1>(key));
  }

  bool send(const Key& key, Execution& execution, std::span<const std::byte> bytes) {
    Message message{key, &execution, bytes, {}, false, false};
    const auto manner = random_() % 3;
    if (manner == 2) {
      message.waits_for_receiver = true;
    } else {
      message.copy.assign(bytes.begin(), bytes.end());
      message.completes_on_delivery = manner == 1;
    }
    in_flight_.push_back(std::move(message));
    return manner == 0;
  }

  bool receive(const Key& key, Execution& execution, std::span<std::byte> into) {
    const auto arrived = arrived_.find(key);
    if (arrived == arrived_.end()) {
      posted_.emplace(key, Receive{&execution, into});
      return false;
    }
    const Message message = std::move(arrived->second);
    arrived_.erase(arrived);
    take(message, into);
    if (message.waits_for_receiver && message.sender->transfer_done()) {
      released_.push_back(message.sender);
    }
    return true;
  }

  void take(const Message& message, std::span<std::byte> into) {
    const auto bytes = message.waits_for_receiver ? message.source : std::span(message.copy);
    if (bytes.size() != into.size()) {
      if (failure_.empty()) {
        failure_ = fmt::format("{} has {} bytes, {} expected", describe(message.key), bytes.size(),
                               into.size());
      }
      return;
    }
    if (!bytes.empty()) std::memcpy(into.data(), bytes.data(), bytes.size());
  }

  Random random_;
  std::vector<Message> in_flight_;
  std::map<Key, Message> arrived_;
  std::map<Key, Receive> posted_;
  std::vector<Execution*> released_;
  std::string failure_;
};

/// All ranks' memory, before and after.
class Memory {
 public:
  explicit Memory(const Case& one) : case_(one), random_(one.seed ^ 0x9e3779b97f4a7c15U) {
    const Collective collective = one.algorithm->collective;
    for (const Shape& shape : one.shapes) {
      const bool is_source = collective == Collective::broadcast && shape.rank == shape.root;
      inputs.push_back(elements(input_count(collective, shape)));
      outputs.push_back(is_source ? elements(output_count(collective, shape))
                                  : noise(output_count(collective, shape)));
      if (shape.in_place && owns_output(shape)) outputs.back() = inputs.back();
    }
    initial_inputs = inputs;
    initial_outputs = outputs;
  }

  /// In place means the output only where there is one.
  bool owns_output(const Shape& shape) const {
    return case_.algorithm->collective != Collective::reduce || shape.rank == shape.root;
  }

  std::vector<Bytes> inputs, outputs, initial_inputs, initial_outputs;

  Bytes noise(std::size_t count) {
    Bytes bytes(count * case_.field->element_bytes);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random_());
    return bytes;
  }

 private:
  Bytes elements(std::size_t count) {
    const std::size_t size = case_.field->element_bytes;
    Bytes bytes(count * size);
    for (std::size_t i = 0; i < count; ++i) {
      case_.field->generate(random_(), bytes.data() + i * size);
    }
    return bytes;
  }

  const Case& case_;
  Random random_;
};

/// The definition of each collective, as plainly as can be.
class Definition {
 public:
  Definition(const Case& one, const Memory& memory) : case_(one), memory_(memory) {}

  Bytes expected(int rank) const {
    const Shape& shape = case_.shapes[static_cast<std::size_t>(rank)];
    Bytes result = memory_.initial_outputs[static_cast<std::size_t>(rank)];
    if (result.empty()) return result;
    const int p = shape.ranks;
    const std::size_t n = shape.count;
    const auto block = [&](int index) { return static_cast<std::size_t>(index) * n; };
    switch (case_.algorithm->collective) {
      case Collective::barrier:
        break;
      case Collective::broadcast:
        result = memory_.initial_outputs[static_cast<std::size_t>(shape.root)];
        break;
      case Collective::reduce:
      case Collective::allreduce:
        put(result, 0, combined(0, p, 0, n));
        break;
      case Collective::scan:
        put(result, 0, combined(0, rank + 1, 0, n));
        break;
      case Collective::exscan:
        if (rank > 0) put(result, 0, combined(0, rank, 0, n));
        break;
      case Collective::reduce_scatter_block:
        put(result, 0, combined(0, p, block(rank), n));
        break;
      case Collective::reduce_scatter: {
        const auto& counts = shape.receive_counts;
        const std::size_t first =
            std::accumulate(counts.begin(), counts.begin() + rank, std::size_t{0});
        put(result, 0, combined(0, p, first, counts[static_cast<std::size_t>(rank)]));
        break;
      }
      case Collective::scatter:
        put(result, 0, part(shape.root, block(rank), n));
        break;
      case Collective::scatterv:
        put(result, 0, sent(shape.root, rank));
        break;
      case Collective::gather:
      case Collective::allgather:
        for (int i = 0; i < p; ++i) put(result, block(i), part(i, 0, n));
        break;
      case Collective::alltoall:
        for (int i = 0; i < p; ++i) put(result, block(i), part(i, block(rank), n));
        break;
      case Collective::gatherv:
      case Collective::allgatherv:
        for (int i = 0; i < p; ++i) {
          put(result, place(shape, i), memory_.initial_inputs[static_cast<std::size_t>(i)]);
        }
        break;
      case Collective::alltoallv:
        for (int i = 0; i < p; ++i) put(result, place(shape, i), sent(i, rank));
        break;
    }
    return result;
  }

 private:
  std::size_t size() const { return case_.field->element_bytes; }

  Bytes part(int rank, std::size_t offset, std::size_t count) const {
    const auto begin = memory_.initial_inputs[static_cast<std::size_t>(rank)].begin() +
                       static_cast<std::ptrdiff_t>(offset * size());
    return {begin, begin + static_cast<std::ptrdiff_t>(count * size())};
  }

  /// What `from` sends to `to` in a v-form.
  Bytes sent(int from, int to) const {
    const Shape& shape = case_.shapes[static_cast<std::size_t>(from)];
    const auto target = static_cast<std::size_t>(to);
    const std::size_t offset = shape.send_displacements.empty()
                                   ? std::accumulate(shape.send_counts.begin(),
                                                     shape.send_counts.begin() + to, std::size_t{0})
                                   : shape.send_displacements[target];
    return part(from, offset, shape.send_counts[target]);
  }

  /// Where the block of rank `from` goes in a v-form.
  static std::size_t place(const Shape& shape, int from) {
    if (!shape.receive_displacements.empty()) {
      return shape.receive_displacements[static_cast<std::size_t>(from)];
    }
    return std::accumulate(shape.receive_counts.begin(), shape.receive_counts.begin() + from,
                           std::size_t{0});
  }

  void put(Bytes& result, std::size_t offset, const Bytes& data) const {
    if (!data.empty()) std::memcpy(result.data() + offset * size(), data.data(), data.size());
  }

  Bytes combined(int first, int last, std::size_t offset, std::size_t count) const {
    const ReduceOp& op = case_.field->op;
    Bytes total = part(first, offset, count);
    for (int rank = first + 1; rank < last; ++rank) {
      const Bytes right = part(rank, offset, count);
      op.apply_right(right.data(), total.data(), count, op.state);
    }
    return total;
  }

  const Case& case_;
  const Memory& memory_;
};

std::string carry_out(const Case& one, const std::vector<Schedule>& schedules, Memory& memory) {
  Network network(one.order_seed);
  std::vector<Network::Port> ports;
  std::vector<Bytes> scratches;
  std::vector<std::unique_ptr<Execution>> executions;
  std::vector<Execution*> runnable;
  const std::size_t ranks = schedules.size();
  for (std::size_t i = 0; i < ranks; ++i) ports.emplace_back(network, static_cast<int>(i));
  for (std::size_t i = 0; i < ranks; ++i) {
    scratches.push_back(memory.noise(schedules[i].scratch_count));
    const bool aliased = one.shapes[i].in_place && memory.owns_output(one.shapes[i]);
    const Buffers buffers{aliased ? memory.outputs[i].data() : memory.inputs[i].data(),
                          memory.outputs[i].data(), scratches[i].data(), one.field->element_bytes,
                          &one.field->op};
    executions.push_back(std::make_unique<Execution>(schedules[i], buffers, ports[i]));
    runnable.push_back(executions.back().get());
  }
  Random random(one.order_seed + 1);
  while (!runnable.empty() || !network.idle()) {
    if (!runnable.empty() && (network.idle() || random() % 4 == 0)) {
      std::swap(runnable[random() % runnable.size()], runnable.back());
      Execution* next = runnable.back();
      runnable.pop_back();
      next->advance();
      for (Execution* released : network.take_released()) runnable.push_back(released);
    } else {
      network.deliver([&](Execution& execution) { runnable.push_back(&execution); });
    }
    if (!network.failure().empty()) return network.failure();
  }
  for (std::size_t i = 0; i < ranks; ++i) {
    if (!executions[i]->done()) return fmt::format("deadlock: rank {} waits for ever", i);
  }
  return network.leftovers();
}

}  // namespace

std::string Case::to_text() const {
  const Shape& shape = shapes.front();
  return fmt::format("{} {} [{}]: {} ranks, root {}, count {}, {}{}, seeds {} {}",
                     name_of(algorithm->collective), algorithm->name, parameters.to_text(),
                     shape.ranks, shape.root, shape.count, field->name,
                     shape.in_place ? ", in place" : "", seed, order_seed);
}

Example example_of(const Case& one) {
  Memory memory(one);
  const Definition definition(one, memory);
  Example example;
  for (std::size_t i = 0; i < one.shapes.size(); ++i) {
    example.expected.push_back(definition.expected(static_cast<int>(i)));
  }
  example.inputs = std::move(memory.inputs);
  example.outputs = std::move(memory.outputs);
  return example;
}

Outcome run(const Case& one) {
  return run(one, make_schedules(*one.algorithm, one.shapes, one.parameters));
}

Outcome run(const Case& one, const std::vector<Schedule>& schedules) {
  const auto failed = [&](const std::string& why) {
    return Outcome{one.to_text() + ": " + why, {}};
  };
  for (std::size_t i = 0; i < schedules.size(); ++i) {
    const auto failure = validate(schedules[i], one.algorithm->collective, one.shapes[i]);
    if (!failure.empty()) {
      return failed(fmt::format("rank {}: {}\n{}", i, failure, to_text(schedules[i])));
    }
  }
  Memory memory(one);
  if (const auto failure = carry_out(one, schedules, memory); !failure.empty()) {
    return failed(failure);
  }
  if (memory.inputs != memory.initial_inputs) return failed("an input was changed");
  const bool exact = !reduces(one.algorithm->collective) || one.field != &doubles();
  const Definition definition(one, memory);
  for (std::size_t i = 0; exact && i < schedules.size(); ++i) {
    if (memory.outputs[i] != definition.expected(static_cast<int>(i))) {
      return failed(fmt::format("rank {}: wrong result\n{}", i, to_text(schedules[i])));
    }
  }
  return {{}, std::move(memory.outputs)};
}

}  // namespace tasuki::coll::checker
