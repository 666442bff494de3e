// A network namespace for a test's process, with a loopback of its own.
#pragma once

#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace tasuki::test {

/// Moves this process, which must have one thread, to a network of its own, for an ordinary user
/// in a namespace of users, where it may do to its connections what only root may do elsewhere.
/// Returns: did the system let it?
inline bool enter_own_network() {
  const int users = ::geteuid() == 0 ? 0 : CLONE_NEWUSER;
  if (::unshare(users | CLONE_NEWNET) != 0) return false;
  ifreq loopback{.ifr_ifrn = {"lo"}, .ifr_ifru = {}};
  loopback.ifr_flags = IFF_UP;
  const int asked = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  const bool is_up = ::ioctl(asked, SIOCSIFFLAGS, &loopback) == 0;
  ::close(asked);
  return is_up;
}

}  // namespace tasuki::test
