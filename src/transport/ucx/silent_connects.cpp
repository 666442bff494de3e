#include "transport/ucx/silent_connects.hpp"

#include <arpa/inet.h>
#include <dirent.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>
#include <set>
#include <sstream>

namespace tasuki::transport::ucx {
namespace {

/// The own sockets from which a connection has been begun, and not been answered. Nothing if they
/// cannot be seen for now, as where no descriptor is left.
std::optional<std::set<ino_t>> silent_sockets() {
  std::set<ino_t> silent;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir("/proc/self/fd"), &::closedir);
  if (folder == nullptr) return std::nullopt;
  while (const dirent* const entry = ::readdir(folder.get())) {
    // 0 for the folder itself: no socket of UCX.
    const auto descriptor = static_cast<int>(std::strtol(entry->d_name, nullptr, 10));
    tcp_info info{};
    socklen_t length = sizeof info;
    if (::getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &length) != 0) continue;
    struct stat found {};
    if (info.tcpi_state == TCP_SYN_SENT && ::fstat(descriptor, &found) == 0) {
      silent.insert(found.st_ino);
    }
  }
  return silent;
}

/// "0709E70A:10E1", where each word of the address is a number of this machine's byte order.
SilentConnects::Goal goal_of(const std::string& text) {
  constexpr std::size_t digits = 8;
  SilentConnects::Goal goal;
  const std::size_t colon = text.find(':');
  for (std::size_t at = 0; at + digits <= colon && goal.address_bytes < 16; at += digits) {
    const auto word =
        static_cast<std::uint32_t>(std::strtoul(text.substr(at, digits).c_str(), nullptr, 16));
    std::memcpy(goal.address.data() + goal.address_bytes, &word, sizeof word);
    goal.address_bytes += sizeof word;
  }
  const std::uint16_t port =
      htons(static_cast<std::uint16_t>(std::strtoul(text.c_str() + colon + 1, nullptr, 16)));
  std::memcpy(goal.port.data(), &port, sizeof port);
  return goal;
}

/// Adds where these sockets are to lead, of those in a table of the kernel.
void add_goals(const char* table, const std::set<ino_t>& sockets,
               std::vector<SilentConnects::Goal>& goals) {
  std::ifstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string number, local, remote, state, queues, timer, retransmits, user, timeout;
    ino_t inode = 0;
    words >> number >> local >> remote >> state >> queues >> timer >> retransmits >> user >>
        timeout >> inode;
    if (words && sockets.contains(inode)) goals.push_back(goal_of(remote));
  }
}

}  // namespace

std::string SilentConnects::Goal::text() const {
  char shown[INET6_ADDRSTRLEN] = "?";
  ::inet_ntop(address_bytes == sizeof(in_addr) ? AF_INET : AF_INET6, address.data(), shown,
              sizeof shown);
  std::uint16_t number = 0;
  std::memcpy(&number, port.data(), sizeof number);
  return fmt::format("{} port {}", shown, ntohs(number));
}

std::vector<SilentConnects::Goal> SilentConnects::find(std::int64_t now_ns, std::int64_t least_ns) {
  const std::optional<std::set<ino_t>> silent = silent_sockets();
  if (!silent) return {};
  std::erase_if(since_ns_, [&](const auto& known) { return !silent->contains(known.first); });
  std::set<ino_t> long_silent;
  for (const ino_t socket : *silent) {
    const std::int64_t since_ns = since_ns_.try_emplace(socket, now_ns).first->second;
    if (now_ns - since_ns >= least_ns) long_silent.insert(socket);
  }
  std::vector<Goal> goals;
  if (long_silent.empty()) return goals;
  add_goals("/proc/self/net/tcp", long_silent, goals);
  add_goals("/proc/self/net/tcp6", long_silent, goals);
  return goals;
}

}  // namespace tasuki::transport::ucx
