#include "transport/watch/node_card.hpp"

#include <ifaddrs.h>
#include <net/if.h>
#include <sys/random.h>
#include <sys/socket.h>

#include <cstring>

#include "base/host_name.hpp"

namespace tasuki::transport::watch {
namespace {

in6_addr mapped(const in_addr& address) {
  in6_addr result{};
  result.s6_addr[10] = result.s6_addr[11] = 0xff;
  std::memcpy(result.s6_addr + 12, &address, sizeof address);
  return result;
}

/// Adds an address by which other hosts may reach this one.
void add(NodeCard& card, const ifaddrs& found) {
  const bool is_up = (found.ifa_flags & IFF_UP) != 0 && (found.ifa_flags & IFF_LOOPBACK) == 0;
  if (!is_up || found.ifa_addr == nullptr) return;
  if (card.addresses_count == NodeCard::addresses_most_count) return;
  in6_addr& next = card.addresses[card.addresses_count];
  if (found.ifa_addr->sa_family == AF_INET) {
    next = mapped(reinterpret_cast<const sockaddr_in*>(found.ifa_addr)->sin_addr);
  } else if (found.ifa_addr->sa_family == AF_INET6) {
    next = reinterpret_cast<const sockaddr_in6*>(found.ifa_addr)->sin6_addr;
    if (IN6_IS_ADDR_LINKLOCAL(&next)) return;
  } else {
    return;
  }
  ++card.addresses_count;
}

void find_addresses(NodeCard& card) {
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) return;
  for (const ifaddrs* next = all; next != nullptr; next = next->ifa_next) add(card, *next);
  ::freeifaddrs(all);
  if (card.addresses_count != 0) return;
  // Nodes that are one machine.
  card.addresses[card.addresses_count++] = mapped({htonl(INADDR_LOOPBACK)});
}

}  // namespace

NodeCard new_card() {
  NodeCard card{};
  base::host_name().copy(card.host.data(), card.host.size() - 1);
  [[maybe_unused]] ssize_t filled = ::getrandom(card.key.data(), card.key.size(), 0);
  filled = ::getrandom(card.door.data(), card.door.size(), 0);
  find_addresses(card);
  return card;
}

}  // namespace tasuki::transport::watch
