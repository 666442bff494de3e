#include "rpc/server/passages.hpp"

#include <exception>
#include <tasuki/error.hpp>
#include <utility>

#include "rpc/tls/tls_secret.hpp"

namespace tasuki::rpc {

void Passages::add(const std::string& ticket, Passage passage) {
  const std::lock_guard guard(mutex_);
  passages_[ticket] = {std::move(passage), Clock::now() + lifetime_};
}

void Passages::remove(const std::string& ticket) {
  const std::lock_guard guard(mutex_);
  passages_.erase(ticket);
}

std::optional<std::string> Passages::find(std::string_view identity) {
  const std::lock_guard guard(mutex_);
  for (const auto& [ticket, passage] : passages_) {
    if (Clock::now() < passage.deadline && identity_of(ticket) == identity) return ticket;
  }
  return {};
}

void Passages::pass(Socket& client, const std::string& ticket) {
  Passage passage;
  {
    const std::lock_guard guard(mutex_);
    const auto found = passages_.extract(ticket);
    if (!found || Clock::now() >= found.mapped().deadline) {
      throw error("connect", "nobody knows the ticket, or not any more", "call again");
    }
    passage = std::move(found.mapped().passage);
    ++served_count_;
  }
  std::exception_ptr fault;
  try {
    passage(client);
  } catch (...) {
    fault = std::current_exception();
  }
  {
    const std::lock_guard guard(mutex_);
    --served_count_;
    changed_.notify_all();
  }
  if (fault) std::rethrow_exception(fault);
}

void Passages::await_end() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return served_count_ == 0; });
}

}  // namespace tasuki::rpc
