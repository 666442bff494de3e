#include "rpc/links/rank_links.hpp"

#include <signal.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <iterator>
#include <thread>

#include "rpc/wire/frame.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

/// Below this, starting threads takes longer than they save.
constexpr std::int64_t parallel_bytes = std::int64_t{256} << 10;

/// While it lives, threads are started that get no signals.
class BlockedSignals {
 public:
  BlockedSignals() noexcept {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  void release() const noexcept { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

std::int64_t bytes_of(const RemoteCall& call) {
  std::int64_t bytes = 0;
  call.for_each_array([](const Parameter& one) { return one.mode != Mode::work; },
                      [&](const layout::ArrayLayout& layout, const ArrayArgument&) {
                        bytes += layout.whole_bytes();
                      });
  return bytes;
}

}  // namespace

RankLinks::RankLinks(const std::vector<RankAddress>& ranks) {
  for (const RankAddress& one : ranks) links_.emplace_back(static_cast<int>(links_.size()), one);
}

bool RankLinks::has_ended() const noexcept {
  return std::ranges::any_of(links_, [](const RankLink& one) { return one.has_ended(); });
}

std::vector<json> RankLinks::call(const RemoteCall& call) {
  const std::vector<std::uint8_t> head = encode_frame({{"message", "call"},
                                                       {"call", ++calls_count_},
                                                       {"routine", call.routine.name},
                                                       {"scalars", call.scalars}});
  std::vector<json> seconds(links_.size());
  if (links_.size() > 1 && bytes_of(call) >= parallel_bytes) {
    call_at_once(head, call, seconds);
  } else {
    call_in_turn(head, call, seconds);
  }
  return seconds;
}

void RankLinks::call_in_turn(std::span<const std::uint8_t> head, const RemoteCall& call,
                             std::vector<json>& seconds) {
  for (RankLink& one : links_) one.send(head, call);
  std::ranges::transform(links_, seconds.begin(), [&](RankLink& one) { return one.receive(call); });
}

void RankLinks::call_at_once(std::span<const std::uint8_t> head, const RemoteCall& call,
                             std::vector<json>& seconds) {
  std::vector<std::exception_ptr> faults(links_.size());
  const auto call_rank = [&](RankLink& one, std::size_t rank) {
    try {
      one.send(head, call);
      seconds[rank] = one.receive(call);
    } catch (...) {
      faults[rank] = std::current_exception();
      shut_down();  // Nobody needs to wait for the others.
    }
  };
  {
    const BlockedSignals blocked;  // Those of the program are for the thread that calls.
    std::vector<std::jthread> threads;
    for (auto one = std::next(links_.begin()); one != links_.end(); ++one) {
      threads.emplace_back(call_rank, std::ref(*one), threads.size() + 1);
    }
    blocked.release();
    call_rank(links_.front(), 0);
  }
  for (const std::exception_ptr& fault : faults) {
    if (fault) std::rethrow_exception(fault);
  }
}

void RankLinks::shut_down() noexcept {
  for (RankLink& one : links_) one.shut_down();
}

std::int64_t RankLinks::moved_bytes() const noexcept {
  std::int64_t bytes = 0;
  for (const RankLink& one : links_) bytes += one.moved_bytes();
  return bytes;
}

}  // namespace tasuki::rpc
