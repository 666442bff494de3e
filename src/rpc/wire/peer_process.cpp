#include "rpc/wire/peer_process.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

namespace tasuki::rpc {
namespace {

/// An end of a connection as the system's tables name it: empty where it cannot be.
struct EndNames {
  std::string in_tcp = {};   ///< Of /proc/net/tcp.
  std::string in_tcp6 = {};  ///< Of /proc/net/tcp6.
};

/// Requires: a network address of version 4, as the system has it.
EndNames names_of_version_4(std::uint32_t address, std::uint16_t port) {
  const std::string name = fmt::format("{:08X}:{:04X}", address, port);
  const in6_addr mapped = {{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}}};
  std::uint32_t mark = 0;
  std::memcpy(&mark, mapped.s6_addr + 8, sizeof mark);
  return {name, fmt::format("{:016X}{:08X}{}", 0, mark, name)};
}

std::optional<EndNames> names_of(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET) {
    const auto& end = reinterpret_cast<const sockaddr_in&>(address);
    return names_of_version_4(end.sin_addr.s_addr, ntohs(end.sin_port));
  }
  if (address.ss_family != AF_INET6) return {};
  const auto& end = reinterpret_cast<const sockaddr_in6&>(address);
  std::uint32_t words[4];
  std::memcpy(words, end.sin6_addr.s6_addr, sizeof words);
  const std::uint16_t port = ntohs(end.sin6_port);
  if (IN6_IS_ADDR_V4MAPPED(&end.sin6_addr)) return names_of_version_4(words[3], port);
  return EndNames{"", fmt::format("{:08X}{:08X}{:08X}{:08X}:{:04X}", words[0], words[1], words[2],
                                  words[3], port)};
}

/// Returns: the number of the socket of that connection in the table; 0 if it is not there.
std::uint64_t socket_number(const char* table, const std::string& own, const std::string& peer) {
  if (own.empty() || peer.empty()) return 0;
  const std::string wanted = fmt::format(" {} {} ", own, peer);
  std::ifstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t found = line.find(wanted);
    if (found == std::string::npos) continue;
    // The state, queues, timer, retransmissions, user and timeouts are before it.
    std::istringstream fields(line.substr(found + wanted.size()));
    std::string skipped;
    for (int i = 0; i < 6; ++i) fields >> skipped;
    std::uint64_t number = 0;
    fields >> number;
    return number;
  }
  return 0;
}

/// Returns: 0 if the system has no such socket, or that of another machine.
std::uint64_t number_of_other_end(int descriptor) {
  sockaddr_storage own{}, peer{};
  socklen_t own_bytes = sizeof own, peer_bytes = sizeof peer;
  if (getsockname(descriptor, reinterpret_cast<sockaddr*>(&own), &own_bytes) != 0 ||
      getpeername(descriptor, reinterpret_cast<sockaddr*>(&peer), &peer_bytes) != 0) {
    return 0;
  }
  const auto own_names = names_of(own);
  const auto peer_names = names_of(peer);
  if (!own_names || !peer_names) return 0;
  // One end may be a socket of version 6 that speaks version 4, and the other one not.
  const auto number = socket_number("/proc/net/tcp", peer_names->in_tcp, own_names->in_tcp);
  if (number != 0) return number;
  return socket_number("/proc/net/tcp6", peer_names->in_tcp6, own_names->in_tcp6);
}

}  // namespace

bool holds_other_end(pid_t process, int descriptor) {
  const std::uint64_t number = number_of_other_end(descriptor);
  if (number == 0) return false;
  const std::filesystem::path held = fmt::format("socket:[{}]", number);
  std::error_code fault;
  std::filesystem::directory_iterator files(fmt::format("/proc/{}/fd", process), fault);
  for (; !fault && files != std::filesystem::directory_iterator(); files.increment(fault)) {
    std::error_code closed;  // Meanwhile.
    if (std::filesystem::read_symlink(files->path(), closed) == held) return true;
  }
  return false;
}

}  // namespace tasuki::rpc
