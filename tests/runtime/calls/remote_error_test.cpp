#include <any>
#include <filesystem>
#include <functional>
#include <ios>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <typeinfo>
#include <variant>

#include "support/rank_test.hpp"

namespace tasuki::test {

int refuse(int number) {
  if (number % 2 != 0) throw std::out_of_range("odd: " + std::to_string(number));
  return number;
}

struct OwnError : std::runtime_error {
  using std::runtime_error::runtime_error;
};
void throw_own(const std::string& text) { throw OwnError(text); }
// NOLINTNEXTLINE(bugprone-std-exception-baseclass): a program may throw anything.
void throw_number() { throw 42; }
int pass_on(int rank) {
  invoke(rank, throw_own, std::string("deep"));
  return 0;
}

namespace {

using RemoteErrorTest = RankTest;

template <class Exception>
void throw_text(const std::string& text) {
  throw Exception(text);
}
template <class Exception>
void throw_plain() {
  throw Exception();
}

template <class Exception>
void expect_own_type(const std::function<void()>& call, const std::string& text) {
  try {
    call();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const std::exception& e) {
    EXPECT_EQ(typeid(e), typeid(Exception)) << e.what();
    EXPECT_EQ(std::string(e.what()), text);
  }
}

template <class... Exceptions>
void expect_own_types_with_text() {
  (expect_own_type<Exceptions>(
       [] { invoke(next_rank(), &throw_text<Exceptions>, std::string("why")); }, "why"),
   ...);
}
template <class... Exceptions>
void expect_own_types() {
  (expect_own_type<Exceptions>([] { invoke(next_rank(), &throw_plain<Exceptions>); },
                               Exceptions().what()),
   ...);
}

TEST_F(RemoteErrorTest, standard_exceptions_come_back_as_their_own_type) {
  expect_own_types_with_text<std::runtime_error, std::range_error, std::overflow_error,
                             std::underflow_error, std::logic_error, std::invalid_argument,
                             std::domain_error, std::length_error, std::out_of_range>();
  expect_own_types<std::bad_alloc, std::bad_array_new_length, std::bad_cast, std::bad_typeid,
                   std::bad_optional_access, std::bad_variant_access, std::bad_function_call,
                   std::bad_any_cast>();
}

TEST_F(RemoteErrorTest, system_errors_keep_their_code) {
  try {
    invoke(next_rank(), [] {
      throw std::system_error(std::make_error_code(std::errc::no_space_on_device), "writing");
    });
    ADD_FAILURE() << "nothing was thrown";
  } catch (const std::system_error& e) {
    EXPECT_EQ(e.code(), std::errc::no_space_on_device);
    EXPECT_EQ(
        std::string(e.what()),
        std::system_error(std::make_error_code(std::errc::no_space_on_device), "writing").what());
  }
}

TEST_F(RemoteErrorTest, other_types_become_remote_error_with_rank_function_and_text) {
  try {
    invoke(next_rank(), throw_own, std::string("my reason"));
    ADD_FAILURE() << "nothing was thrown";
  } catch (const remote_error& e) {
    EXPECT_EQ(e.remote_rank(), next_rank());
    EXPECT_TRUE(contains(e.function(), "tasuki::test::throw_own")) << e.function();
    EXPECT_EQ(e.text(), "tasuki::test::OwnError: my reason");
    EXPECT_TRUE(contains(e.what(), "on rank " + std::to_string(next_rank()))) << e.what();
  }
}

void throw_derived(int which) {
  if (which == 0) throw std::filesystem::filesystem_error("files", std::error_code());
  throw std::ios_base::failure("streams");
}

TEST_F(RemoteErrorTest, types_derived_from_standard_ones_become_remote_error) {
  EXPECT_THROW(invoke(next_rank(), throw_derived, 0), remote_error);
  EXPECT_THROW(invoke(next_rank(), throw_derived, 1), remote_error);
}

TEST_F(RemoteErrorTest, what_is_no_exception_comes_back_with_its_type) {
  try {
    invoke(next_rank(), throw_number);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const remote_error& e) {
    EXPECT_EQ(e.text(), "an exception of type int");
  }
}

TEST_F(RemoteErrorTest, passed_on_it_still_names_where_it_began) {
  try {
    invoke(previous_rank(), pass_on, next_rank());
    ADD_FAILURE() << "nothing was thrown";
  } catch (const remote_error& e) {
    EXPECT_EQ(e.remote_rank(), next_rank());
    EXPECT_TRUE(contains(e.function(), "throw_own")) << e.function();
    EXPECT_EQ(e.text(), "tasuki::test::OwnError: deep");
  }
}

TEST_F(RemoteErrorTest, errors_of_tasuki_tell_their_story) {
  try {
    invoke(next_rank(), [] { GlobalPtr<int>().read(); });
    ADD_FAILURE() << "nothing was thrown";
  } catch (const remote_error& e) {
    EXPECT_TRUE(contains(e.text(), "the global pointer is null")) << e.text();
    EXPECT_FALSE(contains(e.what(), "..")) << e.what();
  }
}

TEST_F(RemoteErrorTest, lambdas_and_static_functions_have_names) {
  try {
    invoke(next_rank(), [] { throw OwnError("x"); });
    ADD_FAILURE() << "nothing was thrown";
  } catch (const remote_error& e) {
    EXPECT_TRUE(contains(e.function(), "lambdas_and_static_functions_have_names")) << e.function();
    // GCC and Clang number lambdas in their own ways.
    EXPECT_TRUE(contains(e.function(), "::{lambda()#1}") || contains(e.function(), "::$_0"))
        << e.function();
  }
}

TEST_F(RemoteErrorTest, many_failures_among_successes) {
  constexpr int calls_count = 300;
  std::vector<Future<int>> all;
  for (int i = 0; i < calls_count; ++i) all.push_back(ainvoke(next_rank(), refuse, i));
  int failures_count = 0;
  for (int i = 0; i < calls_count; ++i) {
    try {
      EXPECT_EQ(all[static_cast<std::size_t>(i)].get(), i);
    } catch (const std::out_of_range& e) {
      EXPECT_EQ(std::string(e.what()), "odd: " + std::to_string(i));
      ++failures_count;
    }
  }
  EXPECT_EQ(failures_count, calls_count / 2);
}

TEST_F(RemoteErrorTest, a_handler_that_waited_may_throw) {
  const auto wait_and_throw = [](int rank_to_ask) {
    const int answer = invoke(rank_to_ask, [] { return rank(); });
    throw std::domain_error("after " + std::to_string(answer));
  };
  expect_own_type<std::domain_error>([&] { invoke(next_rank(), wait_and_throw, rank()); },
                                     "after " + std::to_string(rank()));
}

TEST_F(RemoteErrorTest, exceptions_being_handled_stay_with_their_fiber) {
  const auto handle_while_waiting = [](int number) {
    try {
      throw std::runtime_error(std::to_string(number));
    } catch (const std::exception&) {
      invoke(previous_rank(), [] { yield(); });
      try {
        throw;
      } catch (const std::exception& e) {
        return std::string(e.what());
      }
    }
  };
  std::vector<Future<std::string>> all;
  for (int i = 0; i < 20; ++i) all.push_back(ainvoke(next_rank(), handle_while_waiting, i));
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(all[static_cast<std::size_t>(i)].get(), std::to_string(i));
  }
}

TEST_F(RemoteErrorTest, a_thread_that_is_not_the_ranks_own_gets_one_clear_error) {
  std::string texts[3];
  std::thread([&] {
    texts[0] = error_of([] { rank(); });
    texts[1] = error_of([] { invoke(0, refuse, 2); });
    texts[2] = error_of([] { barrier(); });
  }).join();
  for (const std::string& text : texts) {
    EXPECT_TRUE(contains(text, "this thread does not run a rank")) << text;
    EXPECT_TRUE(contains(text, "Remedy: call Tasuki only from")) << text;
  }
}

}  // namespace
}  // namespace tasuki::test
