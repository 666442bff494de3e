// A file that tells who has called what from where, when, and how it ended: one JSON object a line.
//
// Written by the front end: docs/formats/call-report.md. A program that rotates logs renames the
// file and sends SIGHUP. A thread of the log's own writes, so that a file system that stalls holds
// up nobody who has something to tell. Thread-safety: any thread.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <variant>

namespace tasuki::rpc {

class AuditLog {
 public:
  /// An empty path: nothing is written. Throws tasuki::error if the file cannot be opened.
  explicit AuditLog(std::string path);
  /// Writes what waits.
  ~AuditLog();
  AuditLog(const AuditLog&) = delete;
  AuditLog& operator=(const AuditLog&) = delete;

  /// Adds a line: the event's name, the time, and `facts`, an object. Returns before it is written.
  /// While more than waiting_most_bytes wait, lines are left out and counted: a line `lost` says
  /// how many. Says once if that happens, or if writing fails.
  void write(std::string_view event, nlohmann::json facts) noexcept;
  /// Later lines go to the file that has the name now, which is made if there is none; or to the
  /// same one as before if that fails. Throws tasuki::error then.
  void reopen();

  static constexpr std::size_t waiting_most_bytes = std::size_t{8} << 20;

 private:
  /// A line, or the descriptor of the file to which later ones go.
  using Entry = std::variant<std::string, int>;

  int open_file() const;
  void run();
  void put(const Entry& entry);

  const std::string path_;
  int descriptor_ = -1;      ///< Used by the thread alone.
  bool has_failed_ = false;  ///< The same.
  std::mutex mutex_;
  // Guarded by mutex_:
  std::condition_variable changed_;
  std::deque<Entry> waiting_;
  std::size_t waiting_bytes_ = 0;
  std::int64_t lost_count_ = 0;  ///< Of which no line tells yet.
  bool has_lost_ = false;        ///< Since the file was opened.
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace tasuki::rpc
