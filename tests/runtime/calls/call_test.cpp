#include <algorithm>
#include <cereal/types/memory.hpp>
#include <cstring>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "support/rank_test.hpp"

namespace tasuki::test {

int add(int a, int b) { return a + b; }

namespace {

using CallTest = RankTest;

int where() { return rank(); }
std::string join(const std::vector<std::string>& words, char between) {
  std::string text;
  for (const std::string& word : words) text += word + between;
  return text;
}

TEST_F(CallTest, functions_run_on_the_rank_that_was_asked) {
  for (int target = 0; target < size(); ++target) {
    EXPECT_EQ(invoke(target, where), target);
    EXPECT_EQ(invoke(target, &add, 40, target), 40 + target);
  }
}

TEST_F(CallTest, lambdas_with_and_without_captures) {
  const int me = rank();
  const double weight = 0.5;
  EXPECT_EQ(invoke(next_rank(), [] { return rank(); }), next_rank());
  EXPECT_DOUBLE_EQ(invoke(
                       next_rank(), [me, weight](int x) { return me + weight * x; }, 4),
                   me + 2.0);
}

TEST_F(CallTest, void_functions_return_when_they_are_done) {
  const auto cell = new_<int>(0);
  const auto cells = allgather(cell);
  invoke(
      next_rank(), [](Address<int> at, int value) { *at.pointer = value; },
      as_address(cells[static_cast<std::size_t>(next_rank())].raw()), rank() + 100);
  barrier();
  EXPECT_EQ(*cell.raw(), previous_rank() + 100);
  delete_(cell);
}

struct Counter {
  int value = 0;
  virtual ~Counter() = default;
  int add(int by) { return value += by; }
  virtual std::string kind(const std::string& tail) const { return "counter" + tail; }
};
struct LoudCounter final : Counter {
  std::string kind(const std::string& tail) const override { return "COUNTER" + tail; }
};

TEST_F(CallTest, member_functions_through_a_global_pointer) {
  Counter counter;
  LoudCounter loud;
  const auto counters = allgather(GlobalPtr<Counter>(rank(), &counter));
  const auto louds = allgather(GlobalPtr<Counter>(rank(), &loud));
  const auto theirs = counters[static_cast<std::size_t>(next_rank())];
  EXPECT_EQ(invoke(theirs, &Counter::add, 3), 3);
  EXPECT_EQ(ainvoke(theirs, &Counter::add, 4).get(), 7);
  post(theirs, &Counter::add, 5);
  quiesce();
  EXPECT_EQ(counter.value, 12);
  EXPECT_EQ(invoke(theirs, &Counter::kind, std::string("!")), "counter!");
  EXPECT_EQ(invoke(louds[static_cast<std::size_t>(next_rank())], &Counter::kind, std::string("!")),
            "COUNTER!");
  barrier();
}

TEST_F(CallTest, functions_as_arguments) {
  EXPECT_EQ(invoke(
                next_rank(), [](int (*f)(int, int), int x) { return f(x, rank()); }, &add, 7),
            7 + next_rank());
  auto back = invoke(next_rank(), []() -> int (*)(int, int) { return &add; });
  EXPECT_EQ(back, &add);
}

enum class Colour : std::uint8_t { red, green };
struct Point {
  double x, y;
  bool operator==(const Point&) const = default;
};
struct Plain {
  int number;
  char letter;
  bool operator==(const Plain&) const = default;
};
struct Nothing {
  bool operator==(const Nothing&) const = default;
};
struct Person {
  std::string name;
  std::vector<int> marks;
  std::optional<Point> home;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(name, marks, home);
  }
  bool operator==(const Person&) const = default;
};
/// Travels as another value, in cereal's convention.
struct Label {
  std::string text;
  template <class Archive>
  std::string save_minimal(const Archive&) const {
    return text;
  }
  template <class Archive>
  void load_minimal(const Archive&, const std::string& saved) {
    text = saved;
  }
  bool operator==(const Label&) const = default;
};
struct Key {
  int number;
  template <class Archive>
  int save_minimal(const Archive&) const {
    return number;
  }
  template <class Archive>
  void load_minimal(const Archive&, const int& saved) {
    number = saved;
  }
  bool operator==(const Key&) const = default;
};
template <class Archive>
void serialize(Archive& archive, Point& point) {
  archive(point.x, point.y);
}

template <class T>
T same(T value) {
  return value;
}
/// There and back again.
template <class T>
void expect_round_trip(const T& value) {
  EXPECT_EQ(invoke(next_rank(), &same<T>, value), value);
}

TEST_F(CallTest, arguments_and_results_of_all_kinds) {
  expect_round_trip(-1);
  expect_round_trip(true);
  expect_round_trip(Colour::green);
  expect_round_trip(3.5L);
  expect_round_trip(Point{1, 2});
  expect_round_trip(Nothing{});
  expect_round_trip(std::pair{1, 2.5});
  expect_round_trip(std::tuple{1, 'c', 2.5});
  expect_round_trip(std::array<int, 3>{1, 2, 3});
  expect_round_trip(std::string("text"));
  expect_round_trip(std::string());
  expect_round_trip(std::vector<std::string>{"a", "", "c"});
  expect_round_trip(std::vector<bool>{true, false, true});
  expect_round_trip(std::map<std::string, std::vector<double>>{{"a", {1}}, {"b", {}}});
  expect_round_trip(std::optional<std::string>("x"));
  expect_round_trip(std::optional<int>());
  expect_round_trip(std::pair<int, std::string>{4, "four"});
  expect_round_trip(std::variant<int, std::string>("text"));
  expect_round_trip(Person{"Ada", {1, 2}, Point{3, 4}});
  expect_round_trip(Label{"L"});
  expect_round_trip(std::map<int, Label>{{1, {"one"}}});
  expect_round_trip(std::list<Key>{{5}, {6}});
  expect_round_trip(std::vector<Person>{{"B", {}, {}}, {"C", {7}, Point{0, 1}}});
  // Bytewise values need no serialize function, wherever they are.
  expect_round_trip(std::vector<Plain>{{1, 'a'}, {2, 'b'}});
  expect_round_trip(std::map<std::string, Plain>{{"x", {1, 'a'}}});
  expect_round_trip(std::optional<std::vector<Plain>>({{3, 'c'}}));
  expect_round_trip(std::vector<std::pair<int, Plain>>{{1, {4, 'd'}}});
  expect_round_trip(std::vector<GlobalPtr<int>>{{0, nullptr}, {rank(), nullptr}});
  expect_round_trip(std::vector<Colour>{Colour::red, Colour::green});
}

TEST_F(CallTest, elements_of_maps) {
  expect_round_trip(std::pair<const std::string, int>{"four", 4});
  expect_round_trip(std::pair<const int, std::string>{4, "four"});
  expect_round_trip(std::pair<const int, const std::string>{4, "four"});
  expect_round_trip(std::pair<const int, double>{4, 2.5});
  expect_round_trip(std::pair<const Plain, Person>{{1, 'a'}, {"Ada", {1}, {}}});
  expect_round_trip(std::vector<std::pair<const std::string, int>>{{"a", 1}, {"b", 2}});
  expect_round_trip(std::map<int, std::pair<const int, double>>{{1, {2, 2.5}}});
  const std::map<std::string, int> marks{{"Ada", 1}, {"Eve", 2}};
  for (const auto& element : marks) {
    EXPECT_EQ(invoke(
                  next_rank(), [](const auto& one) { return one.first + "!"; }, element),
              element.first + "!");
  }
}

TEST_F(CallTest, several_serialised_arguments_keep_their_order) {
  EXPECT_EQ(invoke(next_rank(), join, std::vector<std::string>{"a", "b"}, '-'), "a-b-");
  EXPECT_EQ(invoke(
                next_rank(),
                [](const std::string& a, int b, const std::vector<int>& c, const std::string& d) {
                  return a + std::to_string(b) + std::to_string(c.size()) + d;
                },
                std::string("one"), 2, std::vector<int>(3), std::string("four")),
            "one23four");
}

TEST_F(CallTest, move_only_arguments_and_results) {
  auto box = invoke(
      next_rank(),
      [](std::unique_ptr<std::string> text) {
        *text += std::to_string(rank());
        return text;
      },
      std::make_unique<std::string>("box"));
  EXPECT_EQ(*box, "box" + std::to_string(next_rank()));
  auto boxes = ainvoke(next_rank(), [] {
    std::vector<std::unique_ptr<int>> made;
    made.push_back(std::make_unique<int>(5));
    made.push_back(nullptr);
    return made;
  });
  const auto got = boxes.get();
  EXPECT_EQ(*got.at(0), 5);
  EXPECT_EQ(got.at(1), nullptr);
}

TEST_F(CallTest, every_size_around_the_limit_of_a_message) {
  const auto checksum = [](const std::vector<std::uint8_t>& bytes) {
    return std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{bytes.size()} << 32U);
  };
  std::vector<std::uint8_t> bytes;
  const std::size_t limit = runtime::Rank::current().sender.largest_record_bytes();
  for (std::size_t count = limit - 80; count < limit + 40; ++count) {
    bytes.resize(count, static_cast<std::uint8_t>(count));
    EXPECT_EQ(invoke(next_rank(), checksum, bytes), checksum(bytes));
    EXPECT_EQ(invoke(next_rank(), &same<std::vector<std::uint8_t>>, bytes), bytes);
  }
}

TEST_F(CallTest, records_of_all_sizes_that_large_rings_take) {
  const auto last_of = [](const std::vector<std::uint8_t>& bytes) {
    return std::pair(bytes.size(), bytes.empty() ? std::uint8_t{0} : bytes.back());
  };
  for (const std::size_t count :
       {100'000, 524'200, 524'288, 600'000, 1'048'600, 2'000'000, 4'194'200, 4'194'400}) {
    std::vector<std::uint8_t> bytes(count, 1);
    bytes.back() = 7;
    EXPECT_EQ(invoke(next_rank(), last_of, bytes), last_of(bytes));
    EXPECT_EQ(invoke(next_rank(), &same<std::vector<std::uint8_t>>, bytes), bytes);
    post(
        next_rank(), [](const std::vector<std::uint8_t>&, int) {}, bytes, 1);
    EXPECT_EQ(invoke(next_rank(), where), next_rank());
  }
  barrier();
}

struct Wide {
  std::array<std::uint32_t, 20'000> words{};
  bool operator==(const Wide&) const = default;
};

// On the heap: the stacks of fibers are small.
std::uint64_t sum_of(const std::vector<Wide>& wide) {
  std::uint64_t sum = 0;
  for (const Wide& one : wide) sum = std::accumulate(one.words.begin(), one.words.end(), sum);
  return sum;
}

TEST_F(CallTest, large_arguments_and_results) {
  std::string text(3'000'000, 'x');
  text[1'234'567] = 'y';
  expect_round_trip(text);
  std::vector<Wide> wide(20);
  wide[7].words[19'999] = 77;
  EXPECT_EQ(invoke(next_rank(), &sum_of, wide), 77U);
  // Many at once, each pulled by its receiver.
  std::vector<Future<std::string>> all;
  for (int i = 0; i < 20; ++i) {
    all.push_back(
        ainvoke(next_rank(), &same<std::string>, std::string(20'000, static_cast<char>('a' + i))));
  }
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(all[static_cast<std::size_t>(i)].get(),
              std::string(20'000, static_cast<char>('a' + i)));
  }
}

TEST_F(CallTest, calls_to_one_rank_start_in_order) {
  constexpr int calls_count = 5000;
  std::vector<int> seen;
  const auto lists = allgather(as_address(&seen));
  const auto theirs = lists[static_cast<std::size_t>(next_rank())];
  for (int i = 0; i < calls_count; ++i) {
    const auto note = [](Address<std::vector<int>> list, int number) {
      list.pointer->push_back(number);
    };
    if (i % 3 == 0) {
      auto ignored = ainvoke(next_rank(), note, theirs, i);
    } else {
      post(next_rank(), note, theirs, i);
    }
  }
  quiesce();
  ASSERT_EQ(seen.size(), static_cast<std::size_t>(calls_count));
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
}

int fib(int n) {
  if (n < 2) return n;
  auto next = ainvoke(next_rank(), fib, n - 1);
  return fib(n - 2) + next.get();
}

TEST_F(CallTest, handlers_may_call_and_wait) {
  if (rank() == 0) {
    EXPECT_EQ(fib(12), 144);
  }
}

/// A chain of calls through all ranks, `depth` long, each waiting for the next.
int depth_of(int depth) { return depth == 0 ? 0 : 1 + invoke(next_rank(), depth_of, depth - 1); }

TEST_F(CallTest, chains_may_be_longer_than_the_cap_of_fibers) {
  const int depth = 200;
  if (rank() == size() - 1) {
    EXPECT_EQ(depth_of(depth), depth);
  }
}

int ping(int peer, int count) { return count == 0 ? 0 : invoke(peer, ping, rank(), count - 1) + 1; }

TEST_F(CallTest, two_ranks_may_call_each_other_to_and_fro) { EXPECT_EQ(ping(next_rank(), 60), 60); }

TEST_F(CallTest, yield_in_a_handler_lets_others_through) {
  bool flag = false;
  const auto flags = allgather(as_address(&flag));
  const auto theirs = flags[static_cast<std::size_t>(next_rank())];
  auto waiting = ainvoke(
      next_rank(),
      [](Address<bool> set) {
        while (!*set.pointer) yield();
        return rank();
      },
      theirs);
  invoke(
      next_rank(), [](Address<bool> set) { *set.pointer = true; }, theirs);
  EXPECT_EQ(waiting.get(), next_rank());
  barrier();
}

TEST_F(CallTest, a_rank_may_call_itself) {
  EXPECT_EQ(invoke(rank(), add, 1, 2), 3);
  EXPECT_EQ(invoke(rank(), [] { return invoke(rank(), add, 2, 3); }), 5);
}

TEST_F(CallTest, a_rank_that_does_not_exist_is_an_error) {
  for (const int wrong : {-1, size(), 1'000'000}) {
    const std::string there = ": rank " + std::to_string(wrong) + " does not exist";
    EXPECT_TRUE(contains(error_of([&] { invoke(wrong, where); }), ": invoke" + there));
    EXPECT_TRUE(contains(error_of([&] { post(wrong, where); }), ": post" + there));
    const std::string text = error_of([&] { auto dropped = ainvoke(wrong, where); });
    EXPECT_TRUE(contains(text, ": ainvoke" + there)) << text;
    EXPECT_TRUE(contains(text, "use a rank from 0 to " + std::to_string(size() - 1))) << text;
  }
}

struct Unwilling {
  std::string text;
  template <class Archive>
  void save(Archive&) const {
    throw std::runtime_error("not today");
  }
  template <class Archive>
  void load(Archive&) {}
};

TEST_F(CallTest, an_argument_or_result_that_fails_to_serialise_is_an_error) {
  const auto take = [](const Unwilling&) {};
  EXPECT_THROW(invoke(next_rank(), take, Unwilling{}), std::runtime_error);
  EXPECT_THROW(post(next_rank(), take, Unwilling{}), std::runtime_error);
  EXPECT_THROW(invoke(next_rank(), [] { return Unwilling{}; }), std::runtime_error);
  quiesce();  // counts no call that was never made
  EXPECT_EQ(invoke(next_rank(), where), next_rank());
}

struct Unreadable {
  std::string text;
  template <class Archive>
  void save(Archive& archive) const {
    archive(text);
  }
  template <class Archive>
  void load(Archive& archive) {
    archive(text);
    if (text == "throw") throw std::runtime_error("not like this");
    archive(text);  // more than there is
  }
};

using Callback = void (*)();

/// Looks like headers of messages wherever it lies in a slot.
template <std::size_t bytes>
struct Blob {
  unsigned char filling[bytes];
};

template <std::size_t bytes>
void post_to_nowhere(int target, unsigned char filling) {
  Blob<bytes> blob;
  std::memset(blob.filling, filling, bytes);
  const auto never = [](const Blob<bytes>&, Callback) { ADD_FAILURE() << "a call that is none"; };
  EXPECT_THROW(post(target, never, blob, Callback{nullptr}), error);
  EXPECT_THROW(static_cast<void>(ainvoke(target, never, blob, Callback{nullptr})), error);
}

TEST_F(CallTest, a_call_whose_argument_has_no_code_leaves_nothing_behind) {
  const int target = next_rank();
  for (unsigned char filling = 1; filling < 6; ++filling) {
    post_to_nowhere<8>(target, filling);
    EXPECT_EQ(invoke(target, &add, 40, 2), 42);
    post_to_nowhere<256>(target, filling);
    post_to_nowhere<3000>(target, filling);
    EXPECT_EQ(invoke(target, &add, 40, 3), 43);
    post_to_nowhere<100'000>(target, filling);
    EXPECT_EQ(invoke(target, &add, 40, 4), 44);
  }
  barrier();
}

TEST_F(CallTest, nor_does_one_that_would_have_had_to_wait_for_room) {
  // A handler on the poller waits for no room: its calls go into the backlog.
  const int called_count = invoke(next_rank(), [] {
    std::vector<Future<int>> answers;
    for (int i = 0; i < 300; ++i) {
      Blob<1000> blob{};
      answers.push_back(ainvoke(
          next_rank(), [](const Blob<1000>& it) { return it.filling[0] + 1; }, blob));
      post_to_nowhere<256>(next_rank(), 1);
    }
    int sum = 0;
    for (auto& answer : answers) sum += answer.get();
    return sum;
  });
  EXPECT_EQ(called_count, 300);
  barrier();
}

TEST_F(CallTest, a_result_that_cannot_be_read_is_an_error_of_the_call) {
  const auto give = [](const std::string& text) { return Unreadable{text}; };
  EXPECT_THROW(invoke(next_rank(), give, std::string("throw")), std::runtime_error);
  const std::string text = error_of([&] { invoke(next_rank(), give, std::string("short")); });
  EXPECT_TRUE(contains(text, "the record ends too early")) << text;
  quiesce();
  EXPECT_EQ(invoke(next_rank(), where), next_rank());
}

TEST_F(CallTest, a_null_object_is_an_error) {
  const GlobalPtr<Counter> null;
  const GlobalPtr<Counter> null_there(next_rank(), nullptr);
  EXPECT_TRUE(contains(error_of([&] { invoke(null, &Counter::add, 1); }), "invoke: the global"));
  EXPECT_TRUE(contains(error_of([&] { auto dropped = ainvoke(null, &Counter::add, 1); }),
                       "ainvoke: the global"));
  EXPECT_TRUE(contains(error_of([&] { invoke(null_there, &Counter::add, 1); }), "is null"));
  EXPECT_TRUE(contains(error_of([&] { post(null_there, &Counter::add, 1); }), "is null"));
}

}  // namespace
}  // namespace tasuki::test
