#include "runtime/stress/model.hpp"

namespace tasuki::test::stress {
namespace {

void fill(std::vector<unsigned char>& inbox, std::size_t place, std::size_t bytes,
          std::uint64_t value) {
  for (std::size_t i = 0; i < bytes; ++i) inbox[place + i] = byte_of(value, i);
}

class Model {
 public:
  explicit Model(const Plan& plan) : plan_(plan), outcomes_(static_cast<std::size_t>(plan.ranks)) {
    for (std::size_t rank = 0; rank < outcomes_.size(); ++rank) {
      outcomes_[rank].heap_inbox.resize(plan.heap_inbox_bytes[rank]);
      outcomes_[rank].private_inbox.resize(plan.private_inbox_bytes[rank]);
    }
  }

  std::vector<Outcome> run() {
    for (std::size_t rank = 0; rank < outcomes_.size(); ++rank) {
      for (const auto& operations : plan_.operations[rank]) {
        for (const Operation& operation : operations) perform(outcomes_[rank], operation);
      }
    }
    for (const SignalledWrites& writes : plan_.signalled) {
      for (std::size_t i = 0; i < writes.bytes.size(); ++i) {
        fill(at(writes.target).heap_inbox, writes.places[i], writes.bytes[i], i);
      }
    }
    return std::move(outcomes_);
  }

 private:
  Outcome& at(int rank) { return outcomes_[static_cast<std::size_t>(rank)]; }

  void perform(Outcome& caller, const Operation& operation) {
    Outcome& target = at(operation.target);
    switch (operation.kind) {
      case Kind::post_add:
        target.sum += operation.value;
        break;
      case Kind::hop:
        for (int depth = operation.depth, rank = operation.target; depth >= 0; --depth) {
          at(rank).sum += operation.value + static_cast<std::uint64_t>(depth);
          rank = hop_target(rank, plan_.ranks);
        }
        break;
      case Kind::chain:
        caller.sum += chain_result(operation.value);
        break;
      case Kind::failing:
        caller.caught += operation.value;
        break;
      case Kind::large:
        target.sum += sum_of_bytes(operation.value, operation.bytes);
        break;
      case Kind::put:
      case Kind::put_async:
        fill(operation.in_heap ? target.heap_inbox : target.private_inbox, operation.place,
             operation.bytes, operation.value);
        break;
      case Kind::atomic:
        target.atomic += operation.value;
        break;
      case Kind::sync:
        target.from_sync += operation.value;
        break;
      case Kind::any:
        for (int call = 0; call <= operation.depth; ++call) {
          const std::uint64_t value = any_value(operation, call);
          any_throws(value) ? caller.caught += value : caller.sum += any_result(value);
        }
        break;
    }
  }

  const Plan& plan_;
  std::vector<Outcome> outcomes_;
};

}  // namespace

std::uint64_t hop_result(std::uint64_t value, int depth) noexcept {
  std::uint64_t sum = 0;
  for (; depth >= 0; --depth) sum += value + static_cast<std::uint64_t>(depth);
  return sum;
}

std::uint64_t sum_of_bytes(std::uint64_t value, std::size_t bytes) noexcept {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < bytes; ++i) sum += byte_of(value, i);
  return sum;
}

std::vector<Outcome> expected_outcomes(const Plan& plan) { return Model(plan).run(); }

}  // namespace tasuki::test::stress
