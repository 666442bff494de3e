// The last error of each thread that calls the C interfaces, for programs to ask for.
//
// Kept by each function of tasuki/client.h, ninf.h and grpc.h that fails. Thread-safety: each
// thread has its own.
#pragma once

#include <string>

namespace tasuki::rpc {

struct LastError {
  std::string as_json = {};  ///< As tasuki_client_error() tells it; empty if there was none.
  std::string kind = {};     ///< The field of that name.
  std::string text = {};     ///< For people.
  bool may_have_run = false;
};

/// Of the calling thread.
LastError& last_error() noexcept;

/// Keeps the exception that is being handled as the thread's last error.
void keep_current_error();

}  // namespace tasuki::rpc
