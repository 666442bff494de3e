#include "rpc/server/passages.hpp"

#include <tasuki/error.hpp>
#include <utility>

namespace tasuki::rpc {

void Passages::add(const std::string& ticket, Passage passage) {
  const std::lock_guard guard(mutex_);
  passages_[ticket] = std::move(passage);
}

void Passages::remove(const std::string& ticket) {
  const std::lock_guard guard(mutex_);
  passages_.erase(ticket);
}

void Passages::pass(Socket& client, const std::string& ticket) {
  Passage passage;
  {
    const std::lock_guard guard(mutex_);
    const auto found = passages_.extract(ticket);
    if (found) passage = std::move(found.mapped());
  }
  if (!passage) throw error("connect", "nobody knows the ticket", "call again");
  passage(client);
}

}  // namespace tasuki::rpc
