// Preloaded into a process, appends whatever passes its connections to the file CONNECTION_TAP.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static ssize_t (*real_write)(int, const void*, size_t);

static int is_tcp(int descriptor) {
  struct sockaddr_storage address;
  socklen_t bytes = sizeof address;
  return getsockname(descriptor, (struct sockaddr*)&address, &bytes) == 0 &&
         (address.ss_family == AF_INET || address.ss_family == AF_INET6);
}

/// Appends the first `bytes` of the pieces at once: nothing of other threads comes between.
static void keep(int descriptor, const struct iovec* pieces, ssize_t bytes) {
  if (bytes <= 0 || !is_tcp(descriptor)) return;
  char* copy = malloc((size_t)bytes);
  const int file = open(getenv("CONNECTION_TAP"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (copy == NULL || file < 0) abort();
  for (ssize_t used = 0; used < bytes; ++pieces) {
    for (size_t i = 0; i < pieces->iov_len && used < bytes; ++i) {
      copy[used++] = ((const char*)pieces->iov_base)[i];
    }
  }
  if (real_write == NULL) *(void**)&real_write = dlsym(RTLD_NEXT, "write");
  if (real_write(file, copy, (size_t)bytes) != bytes) abort();
  close(file);
  free(copy);
}

ssize_t write(int descriptor, const void* data, size_t bytes) {
  if (real_write == NULL) *(void**)&real_write = dlsym(RTLD_NEXT, "write");
  const ssize_t moved = real_write(descriptor, data, bytes);
  const struct iovec piece = {(void*)data, bytes};
  keep(descriptor, &piece, moved);
  return moved;
}

ssize_t read(int descriptor, void* data, size_t bytes) {
  static ssize_t (*real)(int, void*, size_t);
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "read");
  const ssize_t moved = real(descriptor, data, bytes);
  const struct iovec piece = {data, bytes};
  keep(descriptor, &piece, moved);
  return moved;
}

ssize_t recv(int descriptor, void* data, size_t bytes, int flags) {
  static ssize_t (*real)(int, void*, size_t, int);
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "recv");
  const ssize_t moved = real(descriptor, data, bytes, flags);
  const struct iovec piece = {data, bytes};
  keep(descriptor, &piece, moved);
  return moved;
}

ssize_t sendmsg(int descriptor, const struct msghdr* message, int flags) {
  static ssize_t (*real)(int, const struct msghdr*, int);
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "sendmsg");
  const ssize_t moved = real(descriptor, message, flags);
  keep(descriptor, message->msg_iov, moved);
  return moved;
}

ssize_t recvmsg(int descriptor, struct msghdr* message, int flags) {
  static ssize_t (*real)(int, struct msghdr*, int);
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "recvmsg");
  const ssize_t moved = real(descriptor, message, flags);
  keep(descriptor, message->msg_iov, moved);
  return moved;
}
