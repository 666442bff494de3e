#include "rpc/server/connections.hpp"

#include <system_error>
#include <utility>

namespace tasuki::rpc {

void Connections::forget_ended() {
  for (auto one = all_.begin(); one != all_.end();) {
    if (!one->is_over) {
      ++one;
      continue;
    }
    one->thread.join();
    one = all_.erase(one);
  }
}

void Connections::add(Socket socket, const Serve& serve) {
  Connection& made = all_.emplace_back(std::make_shared<Socket>(std::move(socket)));
  try {
    made.thread = std::thread([this, &made, serve] {
      ++count_;
      serve(made.socket);
      --count_;
      made.socket->shut_down();
      made.is_over = true;
    });
  } catch (const std::system_error&) {
    all_.pop_back();  // No thread is to be had: the peer sees its connection end.
  }
}

void Connections::end() {
  for (Connection& one : all_) one.socket->shut_down();
  for (Connection& one : all_) one.thread.join();
  all_.clear();
}

}  // namespace tasuki::rpc
