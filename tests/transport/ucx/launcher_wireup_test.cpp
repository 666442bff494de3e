#include "transport/ucx/launcher_wireup.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <tasuki/error.hpp>
#include <utility>
#include <vector>

namespace tasuki::transport::ucx {
namespace {

constexpr std::uint32_t sum_word = 2;
constexpr std::uint32_t ask_word = 4;
constexpr std::uint32_t unreachable_word = 6;
constexpr int patience_ms = 20'000;

/// The launcher of a job of three ranks, to which the test has rank 1 connect. It says nothing but
/// what the test makes it say.
class LauncherWireupTest : public testing::Test {
 protected:
  void SetUp() override {
    listening_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    ASSERT_EQ(::bind(listening_, reinterpret_cast<sockaddr*>(&address), length), 0);
    ASSERT_EQ(::listen(listening_, 1), 0);
    ASSERT_EQ(::getsockname(listening_, reinterpret_cast<sockaddr*>(&address), &length), 0);
    const std::string place =
        "127.0.0.1:" + std::to_string(ntohs(address.sin_port)) + " " + std::string(32, 'k');
    ::setenv("TASUKI_WIREUP", place.c_str(), 1);
    ::setenv("TASUKI_RANK", "1", 1);
    ::setenv("TASUKI_SIZE", "3", 1);
    rank_.emplace();
    launcher_ = ::accept(listening_, nullptr, nullptr);
    ASSERT_GE(launcher_, 0);
    take(40);  // The hello.
  }

  void TearDown() override {
    if (launcher_ >= 0) ::close(launcher_);
    ::close(listening_);
  }

  /// What the rank has sent, as words.
  std::vector<std::uint32_t> take(std::size_t bytes) const {
    std::vector<std::uint32_t> words(bytes / sizeof(std::uint32_t));
    EXPECT_EQ(::recv(launcher_, words.data(), bytes, MSG_WAITALL), static_cast<ssize_t>(bytes));
    return words;
  }

  void say(std::vector<std::uint32_t> words, const std::string& text = "") const {
    std::string whole(reinterpret_cast<const char*>(words.data()), words.size() * sizeof words[0]);
    whole += text;
    ASSERT_EQ(::send(launcher_, whole.data(), whole.size(), 0), static_cast<ssize_t>(whole.size()));
  }

  /// The next answer, which is on its way.
  Wireup::Published answer() {
    for (int waited_ms = 0; waited_ms < patience_ms; ++waited_ms) {
      if (auto published = rank_->take_answer()) return *published;
      ::poll(nullptr, 0, 1);
    }
    ADD_FAILURE() << "no answer has come";
    return {};
  }

  static std::string text_of(const Wireup::Published& published) {
    return {reinterpret_cast<const char*>(published.bytes.data()), published.bytes.size()};
  }

  int listening_ = -1;
  int launcher_ = -1;
  std::optional<LauncherWireup> rank_;
};

TEST_F(LauncherWireupTest, a_rank_asks_for_several_addresses_and_waits_for_none) {
  rank_->ask(0);
  rank_->ask(2);
  EXPECT_FALSE(rank_->take_answer());
  EXPECT_EQ(take(16), (std::vector<std::uint32_t>{ask_word, 0, ask_word, 2}));
  say({ask_word, 2, 5}, "secon");
  say({ask_word, 0}, "");
  const Wireup::Published second = answer();
  EXPECT_EQ(second.rank, 2);
  EXPECT_EQ(text_of(second), "secon");
  EXPECT_FALSE(rank_->take_answer()) << "only a part of it has come";
  say({5}, "first");
  const Wireup::Published first = answer();
  EXPECT_EQ(first.rank, 0);
  EXPECT_EQ(text_of(first), "first");
}

TEST_F(LauncherWireupTest, an_answer_that_comes_before_a_sum_is_kept) {
  rank_->ask(2);
  say({ask_word, 2, 4}, "here");
  const std::array<std::uint64_t, 2> sums{7, 11};
  std::string text(sizeof sums, '\0');
  std::memcpy(text.data(), sums.data(), sizeof sums);
  say({sum_word}, text);
  EXPECT_EQ(rank_->sum({1, 2}, nullptr), sums);
  EXPECT_EQ(take(8), (std::vector<std::uint32_t>{ask_word, 2}));
  const auto kept = rank_->take_answer();
  ASSERT_TRUE(kept);
  EXPECT_EQ(text_of(*kept), "here");
}

TEST_F(LauncherWireupTest, a_rank_gets_on_while_it_waits_for_a_sum) {
  rank_->ask(0);
  std::string address;
  const auto get_on = [&] {
    if (!address.empty()) return;
    // Until then the launcher has nothing to say: the others wait for what this rank sends.
    say({ask_word, 0, 5}, "first");
    say({sum_word, 3, 0, 4, 0});
    address = text_of(answer());
    EXPECT_FALSE(rank_->take_answer()) << "the sum is none";
  };
  EXPECT_EQ(rank_->sum({1, 2}, get_on), (Wireup::Sums{3, 4}));
  EXPECT_EQ(address, "first");
}

TEST_F(LauncherWireupTest, a_rank_that_may_report_another_is_told_its_host) {
  say({unreachable_word, 2, 4}, "far2");
  EXPECT_EQ(rank_->await_word_about(2), "far2");
  EXPECT_EQ(take(8), (std::vector<std::uint32_t>{unreachable_word, 2}));
}

TEST_F(LauncherWireupTest, what_comes_before_the_word_about_another_is_kept) {
  rank_->lift_time_limit();
  rank_->ask(0);
  std::string host;
  const auto report = [&] {
    if (!host.empty()) return;
    say({ask_word, 0, 5}, "first");
    say({sum_word, 3, 0, 4, 0});
    say({ask_word, 2, 6}, "second");
    say({unreachable_word, 2, 4}, "far2");
    host = rank_->await_word_about(2);
    EXPECT_EQ(text_of(answer()), "first");
    EXPECT_EQ(text_of(answer()), "second");
    EXPECT_FALSE(rank_->take_answer()) << "the sum is none";
  };
  EXPECT_EQ(rank_->sum({1, 2}, report), (Wireup::Sums{3, 4}));
  EXPECT_EQ(host, "far2");
}

TEST_F(LauncherWireupTest, a_sum_that_comes_after_the_word_about_another_is_waited_for) {
  rank_->lift_time_limit();
  std::string host;
  const auto report = [&] {
    if (!host.empty()) return;
    say({unreachable_word, 2, 4}, "far2");
    host = rank_->await_word_about(2);
    EXPECT_FALSE(rank_->take_answer());
    say({sum_word, 3, 0, 4, 0});
  };
  EXPECT_EQ(rank_->sum({1, 2}, report), (Wireup::Sums{3, 4}));
  EXPECT_EQ(host, "far2");
}

TEST_F(LauncherWireupTest, a_rank_whose_launcher_is_gone_may_report_another) {
  ::close(std::exchange(launcher_, -1));
  EXPECT_EQ(rank_->await_word_about(2), "");
}

TEST_F(LauncherWireupTest, an_answer_to_nothing_is_refused) {
  say({9, 0, 0});
  EXPECT_THROW(answer(), error);
}

TEST_F(LauncherWireupTest, a_launcher_that_is_gone_while_ranks_work_is_told) {
  rank_->lift_time_limit();
  rank_->ask(0);
  ::close(std::exchange(launcher_, -1));
  try {
    answer();
    FAIL() << "nobody can have answered";
  } catch (const error& gone) {
    EXPECT_EQ(gone.operation(), "finding the address of a rank");
  }
}

TEST_F(LauncherWireupTest, a_launcher_that_is_gone_is_told) {
  rank_->lift_time_limit();
  ::close(std::exchange(launcher_, -1));
  try {
    rank_->sum({1, 2}, nullptr);
    FAIL() << "nobody can have answered";
  } catch (const error& gone) {
    EXPECT_EQ(gone.happened(), "the launcher is gone");
    EXPECT_EQ(gone.operation(), "leaving the job");
  }
}

}  // namespace
}  // namespace tasuki::transport::ucx
