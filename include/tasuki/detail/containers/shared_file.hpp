// A file that the ranks of a team write or read at the same time, each at its own places.
//
// What fails is kept and reported by `close` or `throw_failure`, on all ranks together, so that no
// rank waits for another one that has failed. Used by the containers' files.
//
// Thread-safety: the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tasuki/detail/containers/exchange.hpp>
#include <tasuki/team.hpp>

namespace tasuki::containers {

class SharedFile {
 public:
  /// Rank 0 makes an empty file first. Collective, as all that has a team.
  static SharedFile create(const std::string& operation, const std::string& path, const Team& team);
  static SharedFile open(const std::string& operation, const std::string& path, const Team& team);
  ~SharedFile();
  SharedFile(SharedFile&& other) noexcept;
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;

  /// After a failure these do nothing.
  void write(std::uint64_t offset_bytes, std::span<const std::byte> bytes);
  void read(std::uint64_t offset_bytes, std::span<std::byte> bytes);
  std::uint64_t size_bytes();

  void fail(Failure failure);
  bool has_failed() const noexcept { return !failure_.happened.empty(); }
  /// Throws what the first rank that failed says, on all ranks. Collective.
  void throw_failure(const Team& team) const { throw_together(operation_, failure_, team); }
  /// The same after a file that was written is closed: some systems say only then that there was no
  /// room. Nothing is done with the file after it.
  void close(const Team& team);

 private:
  SharedFile(std::string operation, std::string path);
  void open_by(int flags);
  void fail_by_error_number(const char* what);

  std::string operation_;
  std::string path_;
  int descriptor_ = -1;
  Failure failure_;
};

}  // namespace tasuki::containers
