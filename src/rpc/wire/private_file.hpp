// A temporary file that only this user may read and write, and that is gone with the process,
// however that ends: it has no name in any folder.
//
// Used by ranks for arguments that are files, and by the front end where it holds the arguments of
// a call. Thread-safety: one thread at a time.
#pragma once

#include <cstdint>
#include <string>

namespace tasuki::rpc {

class PrivateFile {
 public:
  /// An empty file in the system's folder for temporary files (TMPDIR). Throws tasuki::error if
  /// there can be none.
  PrivateFile();
  ~PrivateFile();
  PrivateFile(PrivateFile&& other) noexcept;
  PrivateFile& operator=(PrivateFile&&) = delete;

  int descriptor() const noexcept { return descriptor_; }
  /// By which this process, and others of the same user, open it for as long as this lives.
  std::string path() const;
  std::int64_t bytes() const;

 private:
  int descriptor_;
};

}  // namespace tasuki::rpc
