// Values whose `load` waits, which is refused: `runtime_loads WAY` ends as
// tests/runtime/calls/loads.cmake says.
#include <stdexcept>
#include <string>
#include <string_view>
#include <tasuki/tasuki.hpp>

#include "support/named_run.hpp"

namespace loads {

using namespace tasuki;

int last_rank() { return size() - 1; }

/// Not trivially copyable, so that `load` reads it.
struct WaitsWhenRead {
  std::string text = "text";
  template <class Archive>
  void save(Archive& archive) const {
    archive(text);
  }
  template <class Archive>
  void load(Archive& archive) {
    archive(text);
    if (text == "text") yield();
    if (text == "call") invoke(last_rank(), [] {});
  }
};

/// What lies behind the first argument would be overwritten.
int second_of(const WaitsWhenRead&, int second) { return second; }
WaitsWhenRead make_one() { return {}; }

/// Cannot be read, and waits at its end.
struct WaitsAtItsEnd {
  std::string text = "text";
  WaitsAtItsEnd() = default;
  WaitsAtItsEnd(const WaitsAtItsEnd&) = default;
  ~WaitsAtItsEnd() { yield(); }
  template <class Archive>
  void serialize(Archive& archive) {
    archive(text);
    if (Archive::is_loading::value) throw std::runtime_error("unreadable");
  }
};

template <class Begin>
int begin_on_rank_0(Begin begin) {
  if (rank() == 0) begin();
  quiesce();
  return 0;
}
int argument() {
  return begin_on_rank_0([] { invoke(last_rank(), second_of, WaitsWhenRead(), 2); });
}
int argument_that_calls() {
  return begin_on_rank_0([] { invoke(last_rank(), second_of, WaitsWhenRead{"call"}, 2); });
}
int argument_of_post() {
  return begin_on_rank_0([] { post(last_rank(), second_of, WaitsWhenRead(), 2); });
}
int answer() {
  return begin_on_rank_0([] { invoke(last_rank(), make_one); });
}
/// Lies in memory of its own.
int long_argument() {
  return begin_on_rank_0([] {
    const auto length = [](const WaitsWhenRead&, const std::string& more) { return more.size(); };
    invoke(last_rank(), length, WaitsWhenRead(), std::string(1 << 20, 'm'));
  });
}
/// Who reads without waiting may wait afterwards.
int waits_in_the_function() {
  return begin_on_rank_0([] {
    const auto wait = [](const WaitsWhenRead& read, int second) {
      yield();
      return read.text + std::to_string(second);
    };
    const std::string text = invoke(last_rank(), wait, WaitsWhenRead{"fine "}, 2);
    if (text != "fine 2") throw error("reading arguments", "they are " + text, "mend it");
  });
}

int waits_when_it_could_not_be_read() {
  return begin_on_rank_0([] {
    try {
      invoke(
          last_rank(), [](const WaitsAtItsEnd&) {}, WaitsAtItsEnd());
      throw error("reading an argument", "it was read", "let it throw");
    } catch (const std::runtime_error& failure) {
      if (std::string_view(failure.what()).find("unreadable") == std::string_view::npos) throw;
    }
  });
}

constexpr test::NamedRun<> all_ways[] = {
    {"argument", argument},
    {"argument_that_calls", argument_that_calls},
    {"argument_of_post", argument_of_post},
    {"answer", answer},
    {"long_argument", long_argument},
    {"waits_in_the_function", waits_in_the_function},
    {"waits_when_it_could_not_be_read", waits_when_it_could_not_be_read},
};

}  // namespace loads

int main(int argc, char** argv) {
  return tasuki::run(argc, argv, [&] {
    return tasuki::test::run_named(loads::all_ways, argc > 1 ? argv[1] : "");
  });
}
