#include "rpc/server/printed_lines.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <system_error>
#include <tasuki/error.hpp>

#include "base/host_name.hpp"

namespace tasuki::rpc {
namespace {

constexpr std::size_t lines_most = 4;
constexpr std::size_t line_most_bytes = 200;
/// The text in which ranks name all hosts that have vanished has half of it.
constexpr std::size_t taken_most_bytes = 4096;
/// If poll says that a pipe can be written, a write of so many bytes does not wait.
constexpr std::size_t piece_bytes = 4096;
/// Whoever asks for the last lines waits for so long at most until they have been read.
constexpr std::chrono::milliseconds last_wait{500};

/// Between asking whether standard error can be written, and writing, no other thread fills it.
std::mutex printing;
/// As much as a pipe holds: a process that has left the group may print for ever.
constexpr int last_pieces_most = 16;

void print(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno != EINTR) return;  // Nobody reads it any more.
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
}

bool can_print() {
  pollfd printed{STDERR_FILENO, POLLOUT, 0};
  return poll(&printed, 1, 0) > 0;
}

}  // namespace

PrintedLines::PrintedLines() : told_hosts_(base::host_name()) {
  std::array<int, 2> ends;
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw error("start a program", "the system has no descriptor left",
                "raise the hard limit of descriptors (ulimit -Hn)");
  }
  from_ = ends[0];
  to_ = ends[1];
  fcntl(from_, F_SETFL, O_NONBLOCK);
  try {
    thread_ = std::thread([this] { pass_on(); });
  } catch (const std::system_error& fault) {
    close_ends();
    throw error("start a program", fault.what(), "allow more threads (ulimit -u)");
  }
}

PrintedLines::~PrintedLines() {
  ending_.notify();
  thread_.join();
  close_ends();
}

void PrintedLines::close_ends() noexcept {
  close(from_);
  close(to_);
}

void PrintedLines::pass_on() {
  sigset_t broken_pipe;  // Nobody may read standard error any more.
  sigemptyset(&broken_pipe);
  sigaddset(&broken_pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &broken_pipe, nullptr);
  const auto await = [this](int descriptor, short events) {
    std::array<pollfd, 2> watched = {{{ending_.descriptor(), POLLIN, 0}, {descriptor, events, 0}}};
    while (poll(watched.data(), watched.size(), -1) < 0 && errno == EINTR) {
    }
    return watched[0].revents == 0;
  };
  // Standard error may be a pipe that nobody reads: the end does not wait for that.
  while (await(from_, POLLIN) && await(STDERR_FILENO, POLLOUT)) pass_on_piece();
  for (int i = 0; i < last_pieces_most && pass_on_piece(); ++i) {
  }
}

bool PrintedLines::pass_on_piece() {
  const std::lock_guard guard(printing);
  if (!can_print()) return false;
  const std::string text = take();
  print(text);
  return !text.empty();
}

std::string PrintedLines::take() {
  const std::lock_guard guard(mutex_);
  std::string text(piece_bytes, '\0');
  const ssize_t bytes = read(from_, text.data(), text.size());
  text.resize(bytes > 0 ? static_cast<std::size_t>(bytes) : 0);
  remember(text);
  return text;
}

void PrintedLines::remember(std::string_view text) {
  for (const char one : text) {
    if (one != '\n') {
      if (begun_.size() < taken_most_bytes) begun_ += one;
      continue;
    }
    told_hosts_.take(begun_);
    if (!begun_.empty()) lines_.push_back(begun_.substr(0, line_most_bytes));
    begun_.clear();
    if (lines_.size() > lines_most) lines_.pop_front();
  }
}

bool PrintedLines::is_all_read() {
  const std::lock_guard guard(mutex_);
  int unread_bytes = 0;
  ioctl(from_, FIONREAD, &unread_bytes);
  return unread_bytes == 0;
}

std::string PrintedLines::last() {
  const auto deadline = std::chrono::steady_clock::now() + last_wait;
  while (!is_all_read() && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const std::lock_guard guard(mutex_);
  return fmt::format("{}", fmt::join(lines_, "; "));
}

std::string PrintedLines::told_of_hosts() {
  const std::lock_guard guard(mutex_);
  return told_hosts_.text();
}

}  // namespace tasuki::rpc
