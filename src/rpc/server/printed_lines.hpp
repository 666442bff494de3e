// What a program prints on standard error: passed on to this process's own, while the last lines
// are remembered for those who ask why the program has ended.
//
// Owned by ProcessGroup. Thread-safety: any thread.
#pragma once

#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "rpc/server/told_hosts.hpp"
#include "rpc/wire/wake_up.hpp"

namespace tasuki::rpc {

class PrintedLines {
 public:
  /// Throws tasuki::error if the system has no descriptor or thread left.
  PrintedLines();
  ~PrintedLines();
  PrintedLines(const PrintedLines&) = delete;
  PrintedLines& operator=(const PrintedLines&) = delete;

  /// For the program, as its standard error.
  int descriptor() const noexcept { return to_; }
  /// Returns: the last lines, with "; " between them. What has been printed by now counts, unless
  /// nobody reads this process's standard error.
  std::string last();
  /// Returns: what ToldHosts has found in the lines that have been read by now.
  std::string told_of_hosts();
  /// Returns: has all been read that has been printed by now?
  bool is_all_read();

 private:
  void pass_on();
  /// Returns: was there a piece, and has it been printed?
  bool pass_on_piece();
  void close_ends() noexcept;
  /// Returns: what has come; "" if nothing has.
  std::string take();
  /// Requires: the mutex is held.
  void remember(std::string_view text);

  WakeUp ending_;
  int from_ = -1;
  int to_ = -1;
  std::mutex mutex_;
  // Guarded by mutex_:
  std::deque<std::string> lines_;  ///< None is empty.
  ToldHosts told_hosts_;
  std::string begun_;  ///< A line of which the end has not come.
  std::thread thread_;
};

}  // namespace tasuki::rpc
