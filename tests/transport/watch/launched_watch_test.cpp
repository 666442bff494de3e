#include <tasuki/detail/transport/launched_watch.hpp>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>
#include <tasuki/error.hpp>

#include <array>
#include <chrono>
#include <csignal>
#include <string>
#include <thread>

namespace tasuki::transport {
namespace {

constexpr int patience_ms = 20'000;
constexpr const char* time_limit_ms = "3000";

/// A process that watches as if on a host of its own, and the launcher's ends of its pipes.
class Watcher {
 public:
  Watcher() {
    std::array<int, 2> orders{};
    std::array<int, 2> answers{};
    EXPECT_EQ(::pipe2(orders.data(), O_CLOEXEC), 0);
    EXPECT_EQ(::pipe2(answers.data(), O_CLOEXEC), 0);
    process_ = ::fork();
    if (process_ == 0) {
      ::close(orders[1]);
      ::close(answers[0]);
      int code = 0;
      try {
        watch_for_launcher(orders[0], answers[1]);
      } catch (const error& failure) {
        const std::string text = failure.happened() + "\n";
        [[maybe_unused]] const auto written = ::write(answers[1], text.data(), text.size());
        code = 2;
      }
      ::_exit(code);
    }
    ::close(orders[0]);
    ::close(answers[1]);
    orders_ = orders[1];
    answers_ = answers[0];
  }
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;
  ~Watcher() {
    leave();
    ::close(answers_);
    if (process_ > 0) {
      ::kill(process_, SIGKILL);
      ::waitpid(process_, nullptr, 0);
    }
  }

  void order(const std::string& text) {
    const std::string line = text + "\n";
    EXPECT_EQ(::write(orders_, line.data(), line.size()), static_cast<ssize_t>(line.size()));
  }

  std::string line() const {
    std::string text;
    for (char next = 0; next != '\n';) {
      pollfd event{answers_, POLLIN, 0};
      if (::poll(&event, 1, patience_ms) != 1 || ::read(answers_, &next, 1) != 1) break;
      if (next != '\n') text += next;
    }
    return text;
  }

  std::string card() const {
    const std::string text = line();
    EXPECT_EQ(text.substr(0, 5), "card ");
    return text.substr(5);
  }

  void leave() {
    if (orders_ >= 0) ::close(orders_);
    orders_ = -1;
  }

  void signal(int number) const { ::kill(process_, number); }

  int exit_code() {
    int status = 0;
    ::waitpid(process_, &status, 0);
    process_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t process_ = -1;
  int orders_ = -1;
  int answers_ = -1;
};

/// A process that does nothing, with this in its environment from the beginning.
class Process {
 public:
  explicit Process(const std::string& variable) {
    std::array<int, 2> closed_when_it_runs{};
    EXPECT_EQ(::pipe2(closed_when_it_runs.data(), O_CLOEXEC), 0);
    number_ = ::fork();
    if (number_ != 0) {
      ::close(closed_when_it_runs[1]);
      char nothing = 0;
      EXPECT_EQ(::read(closed_when_it_runs[0], &nothing, 1), 0);
      ::close(closed_when_it_runs[0]);
      return;
    }
    std::string own = variable;
    std::array<char*, 2> environment{own.data(), nullptr};
    ::execle("/bin/sleep", "sleep", "600", nullptr, environment.data());
    ::_exit(127);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process() {
    ::kill(number_, SIGKILL);
    ::waitpid(number_, nullptr, WNOHANG);
  }

  /// Returns: the signal that has ended it; 0 if none has after a long time.
  int ended_by() const {
    int status = 0;
    pid_t ended = 0;
    for (int waited_ms = 0; ended == 0 && waited_ms < patience_ms; ++waited_ms) {
      ended = ::waitpid(number_, &status, WNOHANG);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return ended == number_ && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  }
  bool is_there() const { return ::waitpid(number_, nullptr, WNOHANG) == 0; }

 private:
  pid_t number_ = -1;
};

class LaunchedWatchTest : public ::testing::Test {
 protected:
  /// Both watch a job: two ranks where `one_` is, one where `other_` is.
  void join() {
    const std::string places = one_.card() + ":2 " + other_.card() + ":1";
    one_.order(job_ + " 0 " + time_limit_ms + " " + places);
    other_.order(job_ + " 1 " + time_limit_ms + " " + places);
  }

  /// Only who has been heard can fall silent.
  static void let_hear() { std::this_thread::sleep_for(std::chrono::seconds(1)); }

  const std::string job_ = "job" + std::to_string(::getpid());
  Watcher one_;
  Watcher other_;
};

TEST_F(LaunchedWatchTest, a_host_that_falls_silent_ends_what_the_job_has_here_and_nothing_else) {
  const Process rank("TASUKI_WATCHED_JOB=" + job_);
  const Process stranger("TASUKI_WATCHED_JOB=" + job_ + "2");
  join();
  let_hear();
  other_.signal(SIGSTOP);
  const std::string told = one_.line();
  EXPECT_EQ(told.substr(0, 14), "vanished host ");
  EXPECT_NE(
      told.find(" with rank 2 has vanished: there has been no sign of life from it for 2.7 s"),
      std::string::npos)
      << told;
  EXPECT_EQ(rank.ended_by(), SIGKILL);
  EXPECT_EQ(one_.exit_code(), 0);
  EXPECT_TRUE(stranger.is_there());
}

TEST_F(LaunchedWatchTest, a_host_whose_launcher_has_ended_has_not_vanished) {
  const Process rank("TASUKI_WATCHED_JOB=" + job_);
  join();
  let_hear();
  other_.leave();
  EXPECT_EQ(other_.exit_code(), 0);
  std::this_thread::sleep_for(std::chrono::seconds(4));
  one_.leave();
  EXPECT_EQ(one_.line(), "");
  EXPECT_EQ(one_.exit_code(), 0);
  EXPECT_TRUE(rank.is_there());
}

TEST_F(LaunchedWatchTest, the_launcher_ends_what_is_left_on_a_host_that_was_paused) {
  const Process rank("TASUKI_WATCHED_JOB=" + job_);
  join();
  one_.order("end");
  EXPECT_EQ(rank.ended_by(), SIGKILL);
  EXPECT_EQ(one_.exit_code(), 0);
}

TEST_F(LaunchedWatchTest, a_launcher_of_another_version_is_refused) {
  const std::string card = one_.card();
  const std::string short_card = card.substr(2);
  one_.order(job_ + " 0 " + time_limit_ms + " " + short_card + ":1");
  EXPECT_EQ(one_.line(), "the launcher says " + short_card.substr(0, 40));
  EXPECT_EQ(one_.exit_code(), 2);
  other_.order(job_ + " 1 " + time_limit_ms + " " + other_.card() + ":1");
  EXPECT_EQ(other_.line(), "the launcher says 1");
  EXPECT_EQ(other_.exit_code(), 2);
}

}  // namespace
}  // namespace tasuki::transport
