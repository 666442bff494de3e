#include "rpc/server/signs_of_life.hpp"

#include <poll.h>

#include <algorithm>
#include <exception>

#include "rpc/wire/frame.hpp"

namespace tasuki::rpc {
namespace {

/// Clients say how often they want signs: not so often that these cost anything.
constexpr double interval_least_s = 0.1;
constexpr double interval_most_s = 86'400;

SignsOfLife::Clock::duration interval_of(double seconds) {
  if (!(seconds >= interval_least_s)) seconds = interval_least_s;  // It may be no number.
  return std::chrono::duration_cast<SignsOfLife::Clock::duration>(
      std::chrono::duration<double>(std::min(seconds, interval_most_s)));
}

/// A client that takes nothing does not need it, and must not hold the others up.
void send_sign(Socket& client) {
  pollfd one{client.descriptor(), POLLOUT, 0};
  if (poll(&one, 1, 0) <= 0) return;
  try {
    send_frame(client, {{"message", "here"}});
  } catch (const std::exception&) {
    client.shut_down();  // It has gone, or part of the sign would spoil what is sent after it.
  }
}

}  // namespace

SignsOfLife::Waiting::Waiting(SignsOfLife& signs, Socket& client, std::optional<double> interval_s)
    : signs_(signs) {
  if (!interval_s) return;
  const Clock::duration interval = interval_of(*interval_s);
  const std::lock_guard guard(signs_.mutex_);
  client_ =
      signs_.clients_.insert(signs_.clients_.end(), {&client, interval, Clock::now() + interval});
  if ((*client_)->due < signs_.next_) signs_.changed_.notify_one();
}

SignsOfLife::Waiting::~Waiting() {
  if (!client_) return;
  const std::lock_guard guard(signs_.mutex_);
  signs_.clients_.erase(*client_);
}

SignsOfLife::SignsOfLife() : thread_([this] { run(); }) {}

SignsOfLife::~SignsOfLife() {
  {
    const std::lock_guard guard(mutex_);
    is_over_ = true;
    changed_.notify_one();
  }
  thread_.join();
}

void SignsOfLife::run() {
  std::unique_lock lock(mutex_);
  while (!is_over_) {
    const Clock::time_point now = Clock::now();
    next_ = Clock::time_point::max();
    for (Client& one : clients_) {
      if (one.due <= now) {
        send_sign(*one.socket);
        one.due = now + one.interval;
      }
      next_ = std::min(next_, one.due);
    }
    if (next_ == Clock::time_point::max()) {
      changed_.wait(lock);
    } else {
      changed_.wait_until(lock, next_);
    }
  }
}

}  // namespace tasuki::rpc
