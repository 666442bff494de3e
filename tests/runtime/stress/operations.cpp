#include "runtime/stress/operations.hpp"

#include <stdexcept>

#include "runtime/stress/rank_state.hpp"
#include "runtime/stress/team_steps.hpp"

namespace tasuki::test::stress {
namespace {

std::vector<unsigned char> filled(std::size_t bytes, std::uint64_t value) {
  std::vector<unsigned char> data(bytes);
  for (std::size_t i = 0; i < bytes; ++i) data[i] = byte_of(value, i);
  return data;
}

// ---- what others call --------------------------------------------------------------------------

void add(std::uint64_t value) { own_state().outcome.sum += value; }

std::uint64_t hop(std::uint64_t value, int depth) {
  const std::uint64_t own = value + static_cast<std::uint64_t>(depth);
  add(own);
  if (value % 3 == 0) yield();
  if (depth == 0) return own;
  return own + invoke(hop_target(rank(), size()), hop, value, depth - 1);
}

std::uint64_t twice_and_one(std::uint64_t value) { return 2 * value + 1; }

void fail_with(std::uint64_t value) {
  if (value % 2 == 0) yield();
  throw std::out_of_range(std::to_string(value));
}

std::uint64_t answer(std::uint64_t value) {
  for (std::uint64_t i = value % 3; i > 0; --i) yield();
  if (any_throws(value)) throw std::out_of_range(std::to_string(value));
  return any_result(value);
}

void take_large(const std::vector<unsigned char>& data) {
  std::uint64_t sum = 0;
  for (const unsigned char byte : data) sum += byte;
  add(sum);
}

// ---- operations --------------------------------------------------------------------------------

void chain(const Operation& operation) {
  const int second = hop_target(operation.target, size());
  auto result =
      ainvoke(operation.target, twice_and_one, operation.value).then([second](std::uint64_t value) {
        return invoke(second, twice_and_one, value);
      });
  const std::uint64_t found = result.get();
  expect(found == chain_result(operation.value), "a continuation gave a wrong value");
  add(found);
}

void call_failing(const Operation& operation) {
  try {
    invoke(operation.target, fail_with, operation.value);
    fail("a call that throws has returned");
  } catch (const std::out_of_range& failure) {
    expect(failure.what() == std::to_string(operation.value), "an exception has another's text");
    own_state().outcome.caught += operation.value;
  }
}

void take_any(const Operation& operation) {
  std::vector<Future<std::uint64_t>> answers;
  for (int call = 0; call <= operation.depth; ++call) {
    answers.push_back(
        ainvoke((operation.target + call) % size(), answer, any_value(operation, call)));
  }
  for (std::size_t left = answers.size(); left > 0; --left) {
    const std::size_t first = when_any(answers).get();
    const bool is_there = first < answers.size() && answers[first].valid();
    if (!is_there || !answers[first].ready()) return fail("when_any chose what is not ready");
    const std::uint64_t value = any_value(operation, static_cast<int>(first));
    Outcome& outcome = own_state().outcome;
    try {
      const std::uint64_t found = answers[first].get();
      expect(!any_throws(value) && found == any_result(value), "when_any chose another's answer");
      outcome.sum += found;
    } catch (const std::out_of_range& failure) {
      expect(failure.what() == std::to_string(value), "when_any chose another's exception");
      outcome.caught += value;
    }
  }
}

void put(const Operation& operation, const Directory& to) {
  const auto data = filled(operation.bytes, operation.value);
  const auto inbox = operation.in_heap ? to.heap_inbox : to.private_inbox;
  const auto place = inbox + static_cast<std::ptrdiff_t>(operation.place);
  if (operation.kind == Kind::put) {
    place.nwrite(data.data(), data.size());
    return;
  }
  place.nwrite_async(data.data(), data.size()).get();
  std::vector<unsigned char> found(data.size());
  place.nread(found.data(), found.size());
  expect(found == data, "a write is not there though its future is ready");
}

void perform(const Operation& operation) {
  const Directory& to = own_state().directory[static_cast<std::size_t>(operation.target)];
  switch (operation.kind) {
    case Kind::post_add:
      return post(operation.target, add, operation.value);
    case Kind::hop:
      return expect(invoke(operation.target, hop, operation.value, operation.depth) ==
                        hop_result(operation.value, operation.depth),
                    "a nested call gave a wrong value");
    case Kind::chain:
      return chain(operation);
    case Kind::failing:
      return call_failing(operation);
    case Kind::large:
      return post(operation.target, take_large, filled(operation.bytes, operation.value));
    case Kind::put:
    case Kind::put_async:
      return put(operation, to);
    case Kind::atomic:
      to.atomic.fetch_add(operation.value);
      return;
    case Kind::sync:
      return to.sync.write(operation.value);
    case Kind::any:
      return take_any(operation);
  }
}

// ---- fibers ------------------------------------------------------------------------------------

void run_operations(std::size_t fiber) {
  const auto& operations = own_state().plan.operations[static_cast<std::size_t>(rank())][fiber];
  for (const Operation& operation : operations) perform(operation);
}

void read_sync() {
  RankState& state = own_state();
  for (std::size_t i = state.plan.sync_counts[static_cast<std::size_t>(rank())]; i > 0; --i) {
    state.outcome.from_sync += state.sync.read();
  }
}

void write_with_signals(std::size_t index) {
  const SignalledWrites& writes = own_state().plan.signalled[index];
  const Directory& to = own_state().directory[static_cast<std::size_t>(writes.target)];
  for (std::size_t i = 0; i < writes.bytes.size(); ++i) {
    const auto data = filled(writes.bytes[i], i);
    (to.heap_inbox + static_cast<std::ptrdiff_t>(writes.places[i]))
        .nwrite_signal(data.data(), data.size(), to.counters + writes.source);
  }
}

void await_signals(std::size_t index) {
  const SignalledWrites& writes = own_state().plan.signalled[index];
  const Directory& mine = own_state().directory[static_cast<std::size_t>(writes.target)];
  for (std::size_t i = 0; i < writes.bytes.size(); ++i) {
    wait_signal(mine.counters.raw() + writes.source, i + 1);
    const unsigned char* found = mine.heap_inbox.raw() + writes.places[i];
    const auto data = filled(writes.bytes[i], i);
    expect(std::equal(data.begin(), data.end(), found), "a signal came before its data");
  }
}

}  // namespace

std::vector<Future<void>> start_fibers() {
  const Plan& plan = own_state().plan;
  const int me = rank();
  std::vector<Future<void>> fibers;
  for (std::size_t i = 0; i < plan.signalled.size(); ++i) {
    if (plan.signalled[i].target == me) fibers.push_back(ainvoke(me, await_signals, i));
    if (plan.signalled[i].source == me) fibers.push_back(ainvoke(me, write_with_signals, i));
  }
  for (std::size_t i = 0; i < plan.teams.size(); ++i) {
    fibers.push_back(ainvoke(me, run_team_steps, i));
  }
  for (std::size_t i = 0; i < plan.operations[static_cast<std::size_t>(me)].size(); ++i) {
    fibers.push_back(ainvoke(me, run_operations, i));
  }
  fibers.push_back(ainvoke(me, read_sync));
  return fibers;
}

}  // namespace tasuki::test::stress
