#include "fuzz/fuzzed_routines.hpp"

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "rpc/rank/call_memory.hpp"
#include "rpc/rank/current_call.hpp"

namespace tasuki::fuzz {
namespace {

using nlohmann::json;
using rpc::Content;
using rpc::CurrentCall;
using rpc::Mode;
using rpc::Number;
using rpc::Parameter;

Parameter parameter(const char* name, Mode mode, Content content, Number number = Number::float64,
                    const json& size = {}) {
  Parameter made;
  made.name = name;
  made.mode = mode;
  made.content = content;
  made.number = number;
  if (size.is_null()) return made;
  made.sizes.push_back(rpc::Expression::from_json(size));
  made.ranges.emplace_back();
  return made;
}

Parameter array(const char* name, Mode mode, Number number, const json& size) {
  return parameter(name, mode, Content::numbers, number, size);
}

std::int64_t object_count = 0;  // The state of class K.

void run_f(void* const* arguments) {
  auto* const a = static_cast<double*>(arguments[1]);
  const rpc::LayoutInC* const layout = CurrentCall::get()->memory().find(a);
  if (layout == nullptr) return;
  double sum = 0;
  for (std::int64_t i = 0; i < layout->get().local_extents[0]; ++i) sum += a[i]++;
  const std::string text = *static_cast<char**>(arguments[2]);
  sum += static_cast<double>(text.size());
  void* const given[] = {a, &sum};
  CurrentCall::get()->call_back("g", given);
}

void run_m(void* const* arguments) { *static_cast<std::int64_t*>(arguments[0]) = ++object_count; }

}  // namespace

const rpc::Module& fuzzed_module() {
  static const rpc::Module module = [] {
    Parameter a = array("a", Mode::inout, Number::float64, "n");
    a.divisions.emplace_back(rpc::BlockDivision{});
    rpc::Routine f{"f",
                   "",
                   {parameter("n", Mode::in, Content::numbers, Number::int64), std::move(a),
                    parameter("s", Mode::in, Content::texts),
                    parameter("t", Mode::out, Content::texts, Number::float64, 1),
                    parameter("u", Mode::inout, Content::file)}};
    f.callbacks.push_back(
        {"g",
         5,
         {array("x", Mode::in, Number::float64, "n"), array("y", Mode::out, Number::float64, 1)}});
    rpc::Routine m{"K.m", "", {array("count", Mode::out, Number::int64, 1)}};
    return rpc::Module{"m", {std::move(f)}, {}, {{"K", "", {std::move(m)}}}};
  }();
  return module;
}

const rpc::RankProgram& fuzzed_program() {
  static constexpr std::array<rpc::RoutineEntry, 2> routines = {{{"f", run_f}, {"K.m", run_m}}};
  static const std::array<rpc::StateVariable, 1> variables = {
      {{&object_count, sizeof object_count}}};
  static const std::array<rpc::ClassEntry, 1> classes = {{{"K", variables}}};
  static const rpc::RankProgram program{0, 1, fuzzed_module(), routines, classes};
  return program;
}

}  // namespace tasuki::fuzz
