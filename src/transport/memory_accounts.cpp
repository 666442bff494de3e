#include <tasuki/detail/transport/memory_accounts.hpp>

#include "transport/accounted.hpp"
#include "transport/loopback/loopback_transport.hpp"
#include "transport/mpi/endpoint.hpp"
#include "transport/shm/shm_node.hpp"
#ifdef TASUKI_WITH_UCX
#include "transport/ucx/endpoint.hpp"
#endif

namespace tasuki::transport {
namespace {

using Accounts = std::vector<base::MemoryAccount>;

Accounts network_accounts(const Accounts& of_endpoint) {
  Accounts all{lanes_account, nodes_account, groups_account};
  all.insert(all.end(), of_endpoint.begin(), of_endpoint.end());
  const Accounts of_node = shm::ShmNode::memory_accounts();
  all.insert(all.end(), of_node.begin(), of_node.end());
  return all;
}

}  // namespace

Accounts memory_accounts(std::string_view transport) {
  if (transport == "mpi") return network_accounts(mpi::Endpoint::memory_accounts());
#ifdef TASUKI_WITH_UCX
  if (transport == "ucx") return network_accounts(ucx::Endpoint::memory_accounts());
#endif
  Accounts all;
  if (transport == "shm") all = shm::ShmNode::memory_accounts();
  if (transport == "loopback") all = loopback::LoopbackTransport::memory_accounts();
  if (!all.empty()) all.insert(all.begin(), lanes_account);
  return all;
}

std::vector<base::MemoryUse> memory_uses(const Transport& transport) {
  return dynamic_cast<const Accounted&>(transport).memory_uses();
}

}  // namespace tasuki::transport
