// Preloaded into a process, lets each of its system calls on connections and on the memory of other
// processes move at most SHORT_TRANSFER_BYTES bytes, as the system does beyond 2 GiB.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/uio.h>

static long shortened_count;

/// For the test: how many calls were to move more.
long short_transfers_count(void) { return shortened_count; }

static size_t most_bytes(void) {
  static size_t bytes;
  if (bytes == 0) bytes = strtoul(getenv("SHORT_TRANSFER_BYTES"), NULL, 10);
  return bytes;
}

/// Copies pieces of at most so many bytes. Returns: how many pieces.
static size_t shorten(const struct iovec* from, size_t count, struct iovec* to) {
  size_t left = most_bytes();
  size_t used = 0;
  while (used < count && used < IOV_MAX && left > 0) {
    to[used] = from[used];
    if (to[used].iov_len > left) to[used].iov_len = left;
    left -= to[used++].iov_len;
  }
  if (used < count || (used > 0 && to[used - 1].iov_len < from[used - 1].iov_len)) {
    __atomic_add_fetch(&shortened_count, 1, __ATOMIC_RELAXED);
  }
  return used;
}

/// Messages of other kinds of socket are whole, and launchers have streams of their own.
static int is_tcp(int descriptor) {
  struct sockaddr_storage address;
  socklen_t bytes = sizeof address;
  return getsockname(descriptor, (struct sockaddr*)&address, &bytes) == 0 &&
         (address.ss_family == AF_INET || address.ss_family == AF_INET6);
}

ssize_t sendmsg(int descriptor, const struct msghdr* message, int flags) {
  static ssize_t (*real)(int, const struct msghdr*, int);
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "sendmsg");
  if (!is_tcp(descriptor)) return real(descriptor, message, flags);
  struct iovec pieces[IOV_MAX];
  struct msghdr shorter = *message;
  shorter.msg_iov = pieces;
  shorter.msg_iovlen = shorten(message->msg_iov, message->msg_iovlen, pieces);
  return real(descriptor, &shorter, flags);
}

ssize_t recvmsg(int descriptor, struct msghdr* message, int flags) {
  static ssize_t (*real)(int, struct msghdr*, int);
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "recvmsg");
  if (!is_tcp(descriptor)) return real(descriptor, message, flags);
  struct iovec pieces[IOV_MAX];
  struct msghdr shorter = *message;
  shorter.msg_iov = pieces;
  shorter.msg_iovlen = shorten(message->msg_iov, message->msg_iovlen, pieces);
  const ssize_t result = real(descriptor, &shorter, flags);
  message->msg_namelen = shorter.msg_namelen;
  message->msg_controllen = shorter.msg_controllen;
  message->msg_flags = shorter.msg_flags;
  return result;
}

ssize_t recv(int descriptor, void* data, size_t bytes, int flags) {
  static ssize_t (*real)(int, void*, size_t, int);
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "recv");
  struct iovec piece = {data, bytes};
  struct iovec shorter;
  if (bytes > 0 && is_tcp(descriptor)) {
    shorten(&piece, 1, &shorter);
    bytes = shorter.iov_len;
  }
  return real(descriptor, data, bytes, flags);
}

ssize_t process_vm_readv(pid_t process, const struct iovec* to, unsigned long to_count,
                         const struct iovec* from, unsigned long from_count, unsigned long flags) {
  static ssize_t (*real)(pid_t, const struct iovec*, unsigned long, const struct iovec*,
                         unsigned long, unsigned long);
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "process_vm_readv");
  struct iovec pieces[IOV_MAX];
  const size_t count = shorten(to, to_count, pieces);
  return real(process, pieces, count, from, from_count, flags);
}
