// Preloaded into a process, appends what it sends by TCP to a file of its own in the folder
// MESSAGE_TAP: whatever goes out by one call, after its number of bytes.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static int is_tcp(int descriptor) {
  struct sockaddr_storage address;
  socklen_t bytes = sizeof address;
  return getsockname(descriptor, (struct sockaddr*)&address, &bytes) == 0 &&
         (address.ss_family == AF_INET || address.ss_family == AF_INET6);
}

static void keep(const struct iovec* pieces, uint32_t bytes) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.%d", getenv("MESSAGE_TAP"), program_invocation_short_name,
           (int)getpid());
  char* record = malloc(sizeof bytes + bytes);
  const int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (record == NULL || file < 0) abort();
  memcpy(record, &bytes, sizeof bytes);
  for (uint32_t used = 0; used < bytes; ++pieces) {
    const size_t left = bytes - used;
    const size_t part = pieces->iov_len < left ? pieces->iov_len : left;
    memcpy(record + sizeof bytes + used, pieces->iov_base, part);
    used += (uint32_t)part;
  }
  // At once: what other threads send does not come between.
  if (write(file, record, sizeof bytes + bytes) != (ssize_t)(sizeof bytes + bytes)) abort();
  close(file);
  free(record);
}

ssize_t sendmsg(int descriptor, const struct msghdr* message, int flags) {
  static ssize_t (*real)(int, const struct msghdr*, int);
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "sendmsg");
  const ssize_t moved = real(descriptor, message, flags);
  const int fault = errno;
  if (moved > 0 && is_tcp(descriptor)) keep(message->msg_iov, (uint32_t)moved);
  errno = fault;
  return moved;
}
