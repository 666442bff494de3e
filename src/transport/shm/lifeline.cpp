#include "transport/shm/lifeline.hpp"

#include <tasuki/error.hpp>

#include <cerrno>
#include <cstring>

namespace tasuki::transport::shm {

void Lifeline::hold() {
  pthread_mutexattr_t attributes;
  ::pthread_mutexattr_init(&attributes);
  ::pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  ::pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  int failure = ::pthread_mutex_init(&mutex_, &attributes);
  ::pthread_mutexattr_destroy(&attributes);
  if (failure == 0) failure = ::pthread_mutex_lock(&mutex_);
  if (failure != 0) {
    throw error("starting the shared-memory transport",
                std::string("no lock that outlives its process: ") + std::strerror(failure),
                "use a system whose C library has robust mutexes");
  }
}

void Lifeline::let_go() noexcept { ::pthread_mutex_unlock(&mutex_); }

bool Lifeline::is_cut() noexcept {
  const int result = ::pthread_mutex_trylock(&mutex_);
  if (result == EBUSY) return false;
  if (result == EOWNERDEAD) ::pthread_mutex_consistent(&mutex_);
  ::pthread_mutex_unlock(&mutex_);
  return true;
}

}  // namespace tasuki::transport::shm
