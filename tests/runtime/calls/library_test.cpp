#include <dlfcn.h>

#include <stdexcept>

#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using LibraryTest = RankTest;

void* load() {
  void* library = ::dlopen(TASUKI_TEST_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) ADD_FAILURE() << ::dlerror();
  return library;
}

template <class F>
F* find(void* library, const char* name) {
  return reinterpret_cast<F*>(::dlsym(library, name));
}

// Comes first: afterwards every rank has the library.
TEST_F(LibraryTest, a_library_that_the_target_has_not_loaded_is_an_error) {
  if (is_loopback()) return;  // one process has it or not
  if (rank() == 0 && size() > 1) {
    auto* add = find<int(int, int)>(load(), "library_add");
    try {
      invoke(1, add, 1, 2);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const remote_error& e) {
      EXPECT_EQ(e.remote_rank(), 1);
      EXPECT_TRUE(contains(e.text(), "has not loaded")) << e.text();
      EXPECT_TRUE(contains(e.text(), "load the same library on every rank")) << e.text();
    }
  }
}

struct Counter;

// Comes second: so far rank 0 alone has it.
TEST_F(LibraryTest, a_result_from_a_library_that_the_caller_has_not_loaded_is_an_error) {
  if (is_loopback() || size() == 1) return;
  barrier();
  if (rank() == 1) {
    const auto give = [] {
      int (Counter::*member)(int) = nullptr;
      find<void(int(Counter::**)(int))>(load(), "library_member")(&member);
      return member;
    };
    EXPECT_TRUE(contains(error_of([&] { invoke(0, give); }), "has not loaded"));
  }
  barrier();
}

TEST_F(LibraryTest, functions_of_a_library_loaded_everywhere_can_be_called) {
  void* library = load();
  auto* add = find<int(int, int)>(library, "library_add");
  barrier();
  EXPECT_EQ(invoke(next_rank(), add, 40, 2), 42);
  // The pointer that comes back is this process's own.
  EXPECT_EQ(invoke(
                next_rank(), [](int (*f)(int, int)) { return f; }, add),
            add);
}

TEST_F(LibraryTest, handlers_may_live_in_a_library) {
  auto* calls = find<int(int, int)>(load(), "library_calls");
  barrier();
  EXPECT_EQ(calls(next_rank(), 3), 23);
  EXPECT_EQ(invoke(next_rank(), calls, rank(), 4), 30);
}

TEST_F(LibraryTest, exceptions_from_a_library_come_back) {
  auto* throws = find<void()>(load(), "library_throw");
  barrier();
  EXPECT_THROW(invoke(next_rank(), throws), std::range_error);
}

TEST_F(LibraryTest, code_that_is_in_no_module_is_an_error) {
  auto* nowhere = reinterpret_cast<int (*)()>(std::uintptr_t{64});
  EXPECT_TRUE(contains(error_of([&] { invoke(next_rank(), nowhere); }),
                       "is in no loaded program or library"));
}

}  // namespace
}  // namespace tasuki::test
