#include "rpc/links/rank_links.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <exception>
#include <latch>
#include <mutex>
#include <system_error>
#include <tasuki/error.hpp>
#include <thread>
#include <utility>

#include "rpc/links/lost.hpp"
#include "rpc/wire/frame.hpp"
#include "rpc/wire/interrupt.hpp"
#include "rpc/wire/pulse.hpp"
#include "rpc/wire/short_spin.hpp"
#include "rpc/wire/vanished_host.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

/// Below this, starting threads takes longer than they save.
constexpr std::int64_t parallel_bytes = std::int64_t{256} << 10;

/// Starts a thread that gets no signals: those of the program are for the thread that calls. Throws
/// std::system_error if the system has none.
template <class Work>
std::jthread thread_without_signals(Work work) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    std::jthread made(std::move(work));
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return made;
  } catch (...) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw;
  }
}

}  // namespace

RankLinks::RankLinks(const std::vector<RankAddress>& ranks, bool offers_memory) {
  for (const RankAddress& one : ranks) {
    const int rank = static_cast<int>(links_.size());
    links_.push_back(std::make_unique<RankLink>(rank, one, offers_memory));
  }
}

RankLinks::RankLinks(std::vector<Socket> ranks) {
  for (Socket& one : ranks) {
    links_.push_back(std::make_unique<RankLink>(static_cast<int>(links_.size()), std::move(one)));
  }
}

void RankLinks::watch(const RankLink::Await& check) {
  check_ = check;
  for (const auto& one : links_) one->watch(check);
}

bool RankLinks::has_ended() const noexcept {
  return std::ranges::any_of(links_, [](const auto& one) { return one->has_ended(); });
}

bool RankLinks::share_memory() const noexcept {
  return std::ranges::all_of(links_, [](const auto& one) { return one->shares_memory(); });
}

void RankLinks::begin(json message) {
  message["call"] = ++calls_count_;
  const std::vector<std::uint8_t> head = encode_frame(message);
  for (const auto& one : links_) one->send(head, {});
}

std::vector<json> RankLinks::call(Exchange exchange) {
  exchange.message["call"] = ++calls_count_;
  if (exchange.wire != WireFormat::native) exchange.message["wire"] = name_of(exchange.wire);
  const std::vector<std::uint8_t> head = encode_frame(exchange.message);
  std::vector<json> answers(links_.size());
  if (links_.size() > 1 && !takes_turns_ &&
      exchange.sent_bytes() + exchange.returned_bytes() >= parallel_bytes) {
    call_at_once(head, exchange, answers);
  } else {
    call_in_turn(head, exchange, answers);
  }
  check_not_refused(answers);
  return answers;
}

void RankLinks::call_in_turn(std::span<const std::uint8_t> head, const Exchange& exchange,
                             std::vector<json>& answers) {
  for (const auto& one : links_) one->send(head, exchange);
  for (std::size_t rank = 0; rank < links_.size(); ++rank) {
    answers[rank] = links_[rank]->receive(exchange, [this, rank] { await(rank); });
  }
}

json RankLinks::receive_answer(int rank, const ServeCallback& serve_callback) {
  const auto index = static_cast<std::size_t>(rank);
  return links_[index]->receive_answer(serve_callback, [this, index] { await(index); });
}

void RankLinks::await(std::size_t rank) {
  if (rank + 1 == links_.size() || links_[rank]->socket().has_ahead()) return;
  std::vector<pollfd> watched = {{links_[rank]->socket().descriptor(), POLLIN | POLLRDHUP, 0}};
  if (short_spin([&] { return poll(watched.data(), 1, 0) > 0; })) return;
  for (std::size_t i = rank + 1; i < links_.size(); ++i) {
    watched.push_back({links_[i]->socket().descriptor(), POLLRDHUP, 0});
  }
  const int interval_ms = check_ ? watch_interval_ms : vanished_host_look_interval_ms;
  while (watched.front().revents == 0) {
    const int ready_count = poll(watched.data(), watched.size(), interval_ms);
    if (ready_count < 0 && is_interrupted()) throw Interrupted("receive");
    if (ready_count <= 0) {  // With many signals, a wait is never over.
      check_hosts();
      if (check_) check_();
    }
    for (std::size_t i = 1; i < watched.size(); ++i) {
      if (watched[i].revents == 0) continue;
      links_[rank + i]->socket().first_byte();  // Throws if it has ended without an answer.
      watched[i].fd = -1;
    }
  }
}

void RankLinks::check_hosts() const {
  for (const auto& one : links_) one->socket().check_host("receive");
}

void RankLinks::call_at_once(std::span<const std::uint8_t> head, const Exchange& exchange,
                             std::vector<json>& answers) {
  std::mutex mutex;
  std::exception_ptr first_fault;  // Others follow from it.
  const auto fail = [&](std::exception_ptr fault = std::current_exception()) {
    const std::lock_guard guard(mutex);
    if (!first_fault) first_fault = std::move(fault);
    shut_down();  // Nobody needs to wait for the others.
  };
  // The first rank's block of an array may be written where the others' are still sent from.
  std::latch unsent(static_cast<std::ptrdiff_t>(links_.size()));
  const auto call_rank = [&](std::size_t rank) {
    try {
      links_[rank]->send(head, exchange);
    } catch (...) {
      fail();
    }
    unsent.count_down();
    try {
      answers[rank] = links_[rank]->receive(
          exchange, [] {}, [&unsent] { unsent.wait(); });
    } catch (...) {
      fail();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t rank = 1; rank < links_.size(); ++rank) {
      try {
        threads.push_back(thread_without_signals([&call_rank, rank] { call_rank(rank); }));
      } catch (const std::system_error& fault) {
        fail(std::make_exception_ptr(
            error("call ranks",
                  fmt::format("no thread can be started for rank {}: {}", rank, fault.what()),
                  "allow more threads (ulimit -u), or make fewer calls at once")));
        unsent.count_down();
      }
    }
    call_rank(0);
  }
  if (first_fault) std::rethrow_exception(first_fault);
}

void RankLinks::shut_down() noexcept {
  for (const auto& one : links_) one->shut_down();
}

std::int64_t RankLinks::moved_bytes() const noexcept {
  std::int64_t bytes = 0;
  for (const auto& one : links_) bytes += one->moved_bytes();
  return bytes;
}

}  // namespace tasuki::rpc
