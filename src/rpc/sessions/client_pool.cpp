#include "rpc/sessions/client_pool.hpp"

#include <utility>

#include "rpc/sessions/server_address.hpp"
#include "rpc/sessions/usual_credentials.hpp"

namespace tasuki::rpc {

void ClientPool::GiveBack::operator()(Client* client) const noexcept {
  pool->give_back(url, std::unique_ptr<Client>(client));
}

ClientPool::Taken ClientPool::take(const std::string& url) {
  std::unique_ptr<Client> client = take_idle(url);
  if (client == nullptr) {
    client = std::make_unique<Client>(server_addresses(url), credentials_of({}));
    apply(options_, *client);
  }
  return {client.release(), GiveBack{this, url}};
}

std::unique_ptr<Client> ClientPool::take_idle(const std::string& url) {
  const std::lock_guard guard(mutex_);
  auto& clients = idle_[url];
  while (!clients.empty()) {
    std::unique_ptr<Client> client = std::move(clients.back());
    clients.pop_back();
    if (client->is_connected()) return client;
  }
  return nullptr;
}

void ClientPool::give_back(const std::string& url, std::unique_ptr<Client> client) {
  if (!client->is_connected()) return;
  const std::lock_guard guard(mutex_);
  idle_[url].push_back(std::move(client));
}

}  // namespace tasuki::rpc
