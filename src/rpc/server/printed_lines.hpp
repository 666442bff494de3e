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
  /// Returns: of the lines in which Tasuki's launcher or a rank has said something of a host the
  /// last one, without what it begins with and its end; "" if there is none. As of `last`.
  std::string told_of_host();

 private:
  void pass_on();
  /// Returns: was there a piece, and has it been printed?
  bool pass_on_piece();
  void close_ends() noexcept;
  /// Returns: what has come; "" if nothing has.
  std::string take();
  /// Waits until what has been printed is remembered. Returns: the lock of the mutex.
  std::unique_lock<std::mutex> await_read();
  /// Requires: the mutex is held.
  void remember(std::string_view text);

  WakeUp ending_;
  int from_ = -1;
  int to_ = -1;
  std::mutex mutex_;
  // Guarded by mutex_:
  std::deque<std::string> lines_;  ///< None is empty.
  std::string of_host_;            ///< As told_of_host() returns it.
  std::string begun_;              ///< A line of which the end has not come.
  std::thread thread_;
};

}  // namespace tasuki::rpc
