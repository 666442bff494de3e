#include "rpc/server/strangers.hpp"

#include <utility>

namespace tasuki::rpc {

using Guard = std::lock_guard<std::mutex>;

Strangers::Stay::Stay(Strangers& strangers, std::shared_ptr<Socket> connection)
    : strangers_(strangers), connection_(std::move(connection)) {
  const Guard guard(strangers_.mutex_);
  auto& all = strangers_.strangers_;
  all.push_back({connection_, Clock::now() + strangers_.patience_});
  if (all.size() <= strangers_.count_most_) return;
  all.front().connection->shut_down();
  all.pop_front();
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
