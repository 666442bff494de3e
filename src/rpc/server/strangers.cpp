#include "rpc/server/strangers.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace tasuki::rpc {

using Guard = std::lock_guard<std::mutex>;

Strangers::Stay::Stay(Strangers& strangers, std::shared_ptr<Socket> connection)
    : strangers_(strangers), connection_(std::move(connection)) {
  const Guard guard(strangers_.mutex_);
  auto& all = strangers_.strangers_;
  all.push_back({connection_, connection_->peer_host(), Clock::now() + strangers_.patience_});
  if (all.size() > strangers_.count_most_) strangers_.end_oldest_of_most();
}

void Strangers::end_oldest_of_most() {
  std::map<std::string, std::size_t> counts;
  for (const Stranger& one : strangers_) ++counts[one.host];
  const auto ended = std::ranges::max_element(
      strangers_, {}, [&](const Stranger& one) { return counts.at(one.host); });
  ended->connection->shut_down();
  strangers_.erase(ended);
}

Strangers::Stay::~Stay() {
  const Guard guard(strangers_.mutex_);
  std::erase_if(strangers_.strangers_,
                [&](const Stranger& one) { return one.connection == connection_; });
}

void Strangers::end_late() {
  const Guard guard(mutex_);
  while (!strangers_.empty() && strangers_.front().deadline <= Clock::now()) {
    strangers_.front().connection->shut_down();
    strangers_.pop_front();
  }
}

}  // namespace tasuki::rpc
