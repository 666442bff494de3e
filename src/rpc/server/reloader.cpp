#include "rpc/server/reloader.hpp"

#include <utility>

namespace tasuki::rpc {

Reloader::Reloader(Work work) : work_(std::move(work)), thread_([this] { run(); }) {}

void Reloader::ask(nlohmann::json order) {
  const std::lock_guard guard(mutex_);
  order_ = std::move(order);
  changed_.notify_all();
}

void Reloader::end() {
  {
    const std::lock_guard guard(mutex_);
    is_ending_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void Reloader::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return is_ending_ || order_; });
    if (is_ending_) return;
    const nlohmann::json order = std::move(*std::exchange(order_, std::nullopt));
    lock.unlock();
    work_(order);
    lock.lock();
  }
}

}  // namespace tasuki::rpc
