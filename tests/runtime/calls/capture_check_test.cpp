#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using CaptureCheckTest = RankTest;

void expect_refusal(const std::string& text) {
  EXPECT_TRUE(contains(text, "captures the address of a variable on the stack of rank")) << text;
  EXPECT_TRUE(contains(text, "capture by value")) << text;
}

TEST_F(CaptureCheckTest, captures_by_reference_are_refused) {
  int count = 0;
  std::vector<int> numbers(3);
  const auto counts = [&] { ++count; };
  const auto appends = [&numbers, more = 7] { numbers.push_back(more); };
  const auto points = [at = &count] { ++*at; };
  expect_refusal(error_of([&] { post(next_rank(), counts); }));
  expect_refusal(error_of([&] { invoke(next_rank(), appends); }));
  expect_refusal(error_of([&] { ainvoke(next_rank(), points).get(); }));
  expect_refusal(error_of([&] { post(rank(), counts); }));
  expect_refusal(error_of([&] { invoke(world_team(), next_rank(), counts); }));
  EXPECT_EQ(count, 0);
}

TEST_F(CaptureCheckTest, the_error_names_call_function_rank_and_remedy) {
  int count = 0;
  const std::string text = error_of([&] { post(next_rank(), [&] { ++count; }); });
  EXPECT_TRUE(contains(text, "post: the function object of ")) << text;
  EXPECT_TRUE(contains(text, "the_error_names_call_function_rank_and_remedy")) << text;
  EXPECT_TRUE(contains(text, "on the stack of rank " + std::to_string(rank()))) << text;
  EXPECT_TRUE(contains(text, "or a global_ptr(&variable)")) << text;
}

int refusals_in_called_function() {
  int count = 0;
  int refusals_count = 0;
  for (int i = 0; i < 2; ++i) {
    try {
      post(next_rank(), [&] { ++count; });
    } catch (const error&) {
      ++refusals_count;
    }
    yield();  // The second time it runs on a fiber of its own.
  }
  return refusals_count;
}

TEST_F(CaptureCheckTest, called_functions_are_refused_as_well) {
  EXPECT_EQ(invoke(next_rank(), refusals_in_called_function), 2);
}

// The fiber runs on another stack than the variable lies on.
TEST_F(CaptureCheckTest, variables_of_the_program_are_seen_from_other_stacks) {
  int count = 0;
  auto text = spawn([&] { return error_of([&] { post(next_rank(), [at = &count] { ++*at; }); }); });
  expect_refusal(text.get());
}

TEST_F(CaptureCheckTest, values_are_sent) {
  const std::array<double, 4> numbers = {1, 2, 3, 4};
  const bool flag = true;
  const char letter = 'a';
  const double number = 2;
  static int of_program = 0;
  const auto cell = new_<int>(1);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(invoke(next_rank(), [numbers, i] { return numbers[1] + i; }), 2.0 + i);
    const auto pick = [flag, number, letter] { return flag && letter == 'a' ? number : 0; };
    EXPECT_EQ(invoke(next_rank(), pick), 2.0);
    EXPECT_EQ(invoke(next_rank(), [cell] { return cell.read(); }), 1);
    invoke(next_rank(), [at = &of_program] { static_cast<void>(at); });
  }
  barrier();
  delete_(cell);
}

/// The bytes beside its flag hold what was there before, an address on the stack too.
struct Padded {
  bool flag;
  double number;
  double operator()() const { return flag ? number : 0; }
};

TEST_F(CaptureCheckTest, bytes_between_members_are_not_read) {
  int variable = 0;
  alignas(Padded) std::array<std::byte, sizeof(Padded)> memory;
  for (const bool flag : {false, true}) {
    const auto address = reinterpret_cast<std::uintptr_t>(&variable);
    std::memcpy(memory.data(), &address, sizeof address);
    auto* const padded = new (memory.data()) Padded;
    padded->flag = flag;
    padded->number = 3;
    EXPECT_EQ(invoke(next_rank(), *padded), flag ? 3.0 : 0.0);
  }
}

// A global pointer means the same everywhere, also one to a variable of the caller.
TEST_F(CaptureCheckTest, global_pointers_to_the_stack_are_sent) {
  int mine = 1;
  const auto pointer = global_ptr(&mine);
  invoke(next_rank(), [pointer] {
    pointer.write(2);
    fence();
  });
  EXPECT_EQ(mine, 2);
  Sync<int> queue;
  const auto queue_pointer = global_ptr(&queue);
  invoke(next_rank(), [queue_pointer] { queue_pointer.write(3); });
  EXPECT_EQ(queue.read(), 3);
}

// What is meant to be an address travels as an argument.
TEST_F(CaptureCheckTest, addresses_on_purpose_travel_as_arguments) {
  int mine = 1;
  const auto read = [](Address<int> variable) { return *variable.pointer; };
  EXPECT_EQ(invoke(rank(), read, as_address(&mine)), 1);
}

}  // namespace
}  // namespace tasuki::test
