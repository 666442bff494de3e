#include "runtime/memory/signal_order.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <tasuki/detail/base/assert.hpp>

namespace tasuki::runtime {

void raise_signal(const Signal& signal) {
  if (signal.address == 0) return;
  std::atomic_ref(*reinterpret_cast<std::uint64_t*>(signal.address))
      .fetch_add(signal.increment, std::memory_order_release);
}

SignalOrder::Counter* SignalOrder::find(std::uintptr_t address) noexcept {
  const auto found = std::find_if(counters_.begin(), counters_.end(), [&](const Counter& counter) {
    return counter.address == address;
  });
  return found == counters_.end() ? nullptr : &*found;
}

SignalOrder::Counter& SignalOrder::find_or_add(std::uintptr_t address) {
  Counter* const counter = find(address);
  return counter != nullptr ? *counter : counters_.emplace_back(Counter{address, {}});
}

SignalOrder::Received& SignalOrder::received(int receive) {
  const auto found = std::find_if(received_.begin(), received_.end(),
                                  [&](const Received& one) { return one.receive == receive; });
  return found == received_.end() ? received_.emplace_back(Received{receive}) : *found;
}

void SignalOrder::arrive_behind_others(const Signal& signal) {
  Counter* const counter = signal.address == 0 ? nullptr : find(signal.address);
  if (counter == nullptr) return raise_signal(signal);
  // Together with the one before: a flood of small writes behind a large one takes no room.
  Step& last = counter->steps.back();
  if (last.is_here) {
    last.increment += signal.increment;
  } else {
    counter->steps.push_back({.increment = signal.increment, .is_here = true});
    settle(*counter);
  }
}

std::uint64_t SignalOrder::announce(const Signal& signal) {
  ++last_number_;
  if (signal.address == 0) return last_number_;
  find_or_add(signal.address)
      .steps.push_back({.number = last_number_, .increment = signal.increment});
  return last_number_;
}

void SignalOrder::finish(const Signal& signal, std::uint64_t number) {
  if (signal.address == 0) return;
  Counter* const counter = find(signal.address);
  TASUKI_ASSERT(counter != nullptr);
  std::vector<Step>& steps = counter->steps;
  const auto step = std::find_if(steps.begin(), steps.end(),
                                 [&](const Step& one) { return one.number == number; });
  TASUKI_ASSERT(step != steps.end());
  step->is_here = true;
  const auto next = std::next(step);
  if (next != steps.end() && next->is_here) {
    step->increment += next->increment;
    steps.erase(next);
  }
  if (step != steps.begin() && std::prev(step)->is_here) {
    std::prev(step)->increment += step->increment;
    steps.erase(step);
  }
  settle(*counter);
}

void SignalOrder::arrive_by(int receive, const Signal& signal) {
  if (signal.address == 0) return;
  ++received(receive).arrived_count;
  if (Counter* const counter = find(signal.address)) settle(*counter);
}

void SignalOrder::open(int receive, const Signal& signal) {
  Counter& counter = find_or_add(signal.address);
  counter.steps.push_back({.increment = signal.increment, .receive = receive});
  settle(counter);
}

void SignalOrder::close(int receive, const Signal& signal, std::uint64_t writes_count) {
  Counter* const counter = find(signal.address);
  TASUKI_ASSERT(counter != nullptr);
  const auto step = std::find_if(counter->steps.begin(), counter->steps.end(),
                                 [&](const Step& one) { return one.receive == receive; });
  TASUKI_ASSERT(step != counter->steps.end());
  step->writes_count = writes_count;
  settle(*counter);
}

/// Counts what is here of the oldest step. Returns: is that all of it?
bool SignalOrder::count(const Counter& counter, Step& step) {
  if (step.receive == no_receive) {
    if (step.is_here) raise_signal({counter.address, step.increment});
    return step.is_here;
  }
  Received& at = received(step.receive);
  const std::uint64_t new_count = at.arrived_count - at.counted_count;
  if (new_count != 0) raise_signal({counter.address, new_count * step.increment});
  at.counted_count = at.arrived_count;
  return at.counted_count == step.writes_count;
}

/// Counts what may be counted, and forgets a counter for which nothing is on its way.
void SignalOrder::settle(Counter& counter) {
  std::vector<Step>& steps = counter.steps;
  for (auto step = steps.begin(); step != steps.end();) {
    if (count(counter, *step)) {
      step = steps.erase(step);
    } else if (step->is_open()) {
      ++step;
    } else {
      return;
    }
  }
  if (steps.empty()) counters_.erase(counters_.begin() + (&counter - counters_.data()));
}

}  // namespace tasuki::runtime
