#include "rpc/sessions/call_arguments.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <limits>
#include <stdexcept>
#include <string>
#include <tasuki/error.hpp>

#include "rpc/wire/happened.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

Parameter parameter(const char* name, Mode mode, Number number, const json& sizes) {
  Parameter made;
  made.name = name;
  made.mode = mode;
  made.number = number;
  for (const json& size : sizes) {
    made.sizes.push_back(Expression::from_json(size));
    made.ranges.emplace_back();
  }
  return made;
}

/// f(IN int64 n, IN float64 A[n][3], WORK complex128 w[n], OUT float64 x[n]).
Routine usual_routine() {
  return {"f",
          "",
          {parameter("n", Mode::in, Number::int64, json::array()),
           parameter("A", Mode::in, Number::float64, {"n", 3}),
           parameter("w", Mode::work, Number::complex128, json::array({"n"})),
           parameter("x", Mode::out, Number::float64, json::array({"n"}))}};
}

struct Usual {
  std::int64_t n = 2;
  double a[2][3] = {};
  double x[2] = {};

  std::vector<Argument> arguments() { return {{&n}, {a}, {x}}; }
};

std::string error_of(const Routine& routine, const std::vector<Argument>& arguments) {
  try {
    call_arguments(routine, arguments);
  } catch (const error& fault) {
    return fault.happened();
  }
  return "";
}

TEST(CallArgumentsTest, WhatTheCallerDoesNotKnowFollowsFromTheInterface) {
  Usual usual;
  const CallArguments made = call_arguments(usual_routine(), usual.arguments());
  EXPECT_EQ(made.scalars, json({{"n", 2}}));
  ASSERT_EQ(made.arrays.size(), 3U);
  const auto& a = std::get<ArrayArgument>(made.arrays[0]);
  EXPECT_EQ(a.memory, reinterpret_cast<std::byte*>(usual.a));
  EXPECT_EQ(a.memory_bytes, sizeof usual.a);
  EXPECT_EQ(a.view.stride_bytes, (std::vector<std::int64_t>{24, 8}));
  EXPECT_EQ(std::get<ArrayArgument>(made.arrays[1]).view.stride_bytes.size(), 1U);  // Work space.
  EXPECT_EQ(std::get<ArrayArgument>(made.arrays[2]).memory, reinterpret_cast<std::byte*>(usual.x));
}

TEST(CallArgumentsTest, ColumnsOfFortranAreTheFirstIndex) {
  Usual usual;
  std::vector<Argument> arguments = usual.arguments();
  arguments[1].order = layout::Order::column_major;
  arguments[1].extents = {2, 3};
  const CallArguments made = call_arguments(usual_routine(), arguments);
  EXPECT_EQ(std::get<ArrayArgument>(made.arrays[0]).view.stride_bytes,
            (std::vector<std::int64_t>{8, 16}));
}

TEST(CallArgumentsTest, ScalarsAreConverted) {
  const auto scalar_of = [](Number wanted, Number given, void* memory) {
    const Routine routine{"f", "", {parameter("s", Mode::in, wanted, json::array())}};
    const std::vector<Argument> arguments = {{memory, given, {1}}};
    return call_arguments(routine, arguments).scalars["s"];
  };
  std::int8_t small = -3;
  EXPECT_EQ(scalar_of(Number::int64, Number::int8, &small), -3);
  EXPECT_EQ(scalar_of(Number::float64, Number::int8, &small), -3);
  EXPECT_EQ(scalar_of(Number::complex128, Number::int8, &small), json::array({-3, 0.0}));
  EXPECT_THROW(scalar_of(Number::uint8, Number::int8, &small), error);
  double real = std::numeric_limits<double>::infinity();
  EXPECT_EQ(scalar_of(Number::float32, Number::float64, &real), "inf");
  EXPECT_THROW(scalar_of(Number::int32, Number::float64, &real), error);
  std::complex<float> complex = {1, 2};
  EXPECT_EQ(scalar_of(Number::complex128, Number::complex64, &complex), json::array({1.0, 2.0}));
  EXPECT_THROW(scalar_of(Number::float64, Number::complex64, &complex), error);
}

TEST(CallArgumentsTest, ErrorsNameTheArgumentAndWhatItMustBe) {
  Usual usual;
  const Routine routine = usual_routine();
  const auto changed = [&](std::size_t index, auto change) {
    std::vector<Argument> arguments = usual.arguments();
    change(arguments[index]);
    return error_of(routine, arguments);
  };
  EXPECT_EQ(changed(0, [](Argument& n) { n.extents = {2}; }),
            "n is a scalar, and an array is given");
  EXPECT_EQ(changed(1,
                    [](Argument& a) {
                      a.extents = {3, 2};
                    }),
            "A must have n x 3 = 2 x 3 elements, and has 3 x 2");
  EXPECT_EQ(changed(1, [](Argument& a) { a.extents = {5}; }),
            "A must have n x 3 = 2 x 3 elements, and has 5");
  EXPECT_EQ(changed(1, [](Argument& a) { a.extents = {6}; }), "");
  EXPECT_EQ(changed(1, [](Argument& a) { a.number = Number::float32; }),
            "A must be of float64, and is of float32");
  EXPECT_EQ(changed(1, [](Argument& a) { a.memory = nullptr; }), "A is a null pointer");
  EXPECT_EQ(changed(1, [](Argument& a) { a.is_read_only = true; }), "");
  EXPECT_EQ(changed(2, [](Argument& x) { x.is_read_only = true; }),
            "x is written, and what is given is constant");
  EXPECT_EQ(changed(2, [&](Argument& x) { x.memory = &usual.a[1][2]; }),
            "the array for x overlaps that of A");
  usual.n = -1;
  EXPECT_EQ(error_of(routine, usual.arguments()), "A has size n = -1");
  std::vector<Argument> too_many = usual.arguments();
  too_many.push_back({});
  EXPECT_EQ(error_of(routine, too_many), "4 arguments are given, but it has 3");
}

TEST(CallArgumentsTest, StridesAreThoseOfTheFirstElement) {
  Usual usual;
  double wide[3][8] = {};
  std::vector<Argument> arguments = usual.arguments();
  // Rows from the last to the first, and every other column.
  arguments[1] = {.memory = wide[1], .extents = {2, 3}, .stride_bytes = {-64, 16}};
  const CallArguments made = call_arguments(usual_routine(), arguments);
  const auto& a = std::get<ArrayArgument>(made.arrays[0]);
  EXPECT_EQ(a.memory, reinterpret_cast<std::byte*>(wide));
  EXPECT_EQ(a.memory_bytes, sizeof wide[0] + 5 * sizeof(double));
  EXPECT_EQ(a.view.first_offset_bytes, 64);
  EXPECT_EQ(a.view.stride_bytes, (std::vector<std::int64_t>{-64, 16}));
}

TEST(CallArgumentsTest, PartsOfOneArrayMayBeReadAndWritten) {
  const Routine routine{"f",
                        "",
                        {parameter("n", Mode::in, Number::int64, json::array()),
                         parameter("a", Mode::in, Number::float64, json::array({"n"})),
                         parameter("x", Mode::out, Number::float64, json::array({"n"}))}};
  std::int64_t n = 50;
  double all[1000] = {};
  const auto every = [&](double& first, std::int64_t stride) {
    return Argument{.memory = &first, .extents = {n}, .stride_bytes = {8 * stride}};
  };
  EXPECT_EQ(error_of(routine, {{&n}, every(all[0], 2), every(all[1], 2)}), "");
  EXPECT_EQ(error_of(routine, {{&n}, every(all[0], 2), every(all[99], -2)}), "");
  const char* const overlaps = "the array for x overlaps that of a";
  EXPECT_EQ(error_of(routine, {{&n}, every(all[0], 2), every(all[98], -2)}), overlaps);
  EXPECT_EQ(error_of(routine, {{&n}, every(all[0], 2), every(all[1], 3)}), overlaps);
}

TEST(CallArgumentsTest, WhatCannotBeToldApartIsRefusedWithWhatToDo) {
  const json sizes = {"n", "n"};
  const Routine routine{"f",
                        "",
                        {parameter("n", Mode::in, Number::int64, json::array()),
                         parameter("a", Mode::in, Number::int8, sizes),
                         parameter("x", Mode::out, Number::int8, sizes)}};
  std::int64_t n = 100'000;
  std::int8_t memory[2] = {};  // Nothing is read.
  const auto odd = [&](std::int8_t& first, std::int64_t stride) {
    return Argument{.memory = &first, .extents = {n, n}, .stride_bytes = {stride, stride + 2}};
  };
  try {
    call_arguments(routine,
                   std::vector<Argument>{{&n}, odd(memory[0], 100'003), odd(memory[1], 200'017)});
    FAIL() << "it was taken";
  } catch (const error& fault) {
    EXPECT_EQ(fault.happened(), "the array for x may overlap that of a");
    EXPECT_EQ(fault.remedy(),
              "give an array of other memory, or parts of one with the same strides");
  }
}

TEST(CallArgumentsTest, StridesThatNoMemoryHasAreRefused) {
  Usual usual;
  std::vector<Argument> arguments = usual.arguments();
  for (const std::int64_t stride_bytes : {INT64_MAX, INT64_MIN}) {
    arguments[1] = {.memory = usual.a, .extents = {2, 3}, .stride_bytes = {8, stride_bytes}};
    EXPECT_EQ(error_of(usual_routine(), arguments), "the strides are longer than any memory");
  }
  arguments[1] = {.memory = usual.a, .extents = {6}, .stride_bytes = {8}};
  EXPECT_EQ(error_of(usual_routine(), arguments), "A must have n x 3 = 2 x 3 elements, and has 6");
}

TEST(CallArgumentsTest, AnArrayOnTheRanksIsNamed) {
  Usual usual;
  std::vector<Argument> arguments = usual.arguments();
  arguments[1] = {.kept = KeptArray{"name"}};
  const CallArguments made = call_arguments(usual_routine(), arguments);
  ASSERT_EQ(made.arrays.size(), 3U);
  EXPECT_EQ(std::get<KeptArray>(made.arrays[0]).id, "name");
  arguments[0] = {.kept = KeptArray{"name"}};
  EXPECT_EQ(error_of(usual_routine(), arguments), "n is a scalar, and an array is given");
}

TEST(CallArgumentsTest, AnArrayThatIsPutIsCheckedAsInACall) {
  Usual usual;
  const Routine routine = usual_routine();
  const auto put = [&](json scalars, const Argument& given) {
    return array_to_put(routine, "A", scalars, given);
  };
  const Argument read_only = {.memory = usual.a, .number = Number::float64, .is_read_only = true};
  const ArrayArgument made = put({{"n", 2}}, read_only);
  EXPECT_EQ(made.memory, reinterpret_cast<std::byte*>(usual.a));
  EXPECT_EQ(made.view.stride_bytes, (std::vector<std::int64_t>{24, 8}));
  EXPECT_THROW(put({{"n", 2}}, {.memory = usual.a, .number = Number::float32}), error);
  EXPECT_THROW(put({{"n", 2}}, {.memory = usual.a, .extents = {7}}), error);
  EXPECT_THROW(put({{"n", 2}}, {.kept = KeptArray{"name"}}), error);
  EXPECT_NE(happened_in([&] {
              put({{"m", 2}, {"n", 2}}, read_only);
            }).find("there is no size m"),
            std::string::npos);
  json scalars = json::object();
  EXPECT_THROW(array_to_put(routine, "n", scalars, read_only), error);
  EXPECT_THROW(array_to_put(routine, "B", scalars, read_only), error);
}

TEST(CallArgumentsTest, SizesThatAnArrayThatIsPutDoesNotNeedMayBeLeftOut) {
  Routine routine = usual_routine();
  routine.parameters.push_back(parameter("z", Mode::in, Number::complex64, json::array()));
  routine.parameters.push_back(parameter("three", Mode::in, Number::uint8, json::array({3})));
  std::uint8_t three[3] = {};
  json scalars = json::object();
  EXPECT_EQ(array_to_put(routine, "three", scalars, {.memory = three}).memory_bytes, sizeof three);
  EXPECT_EQ(scalars, json({{"n", 0}, {"z", {0.0, 0.0}}}));
}

TEST(CallArgumentsTest, FunctionsAndTextsAreNoNumbersAndNumbersNoFunctions) {
  Usual usual;
  Routine routine = usual_routine();
  const Argument function = {.memory = &usual, .is_function = true};
  const Argument text = {.memory = usual.a, .text_bytes = 8};
  std::vector<Argument> arguments = usual.arguments();
  arguments[0] = text;
  EXPECT_EQ(error_of(routine, arguments), "n must be of int64, and a text is given");
  arguments = usual.arguments();
  arguments[1] = function;
  EXPECT_EQ(error_of(routine, arguments), "A must be of float64, and a function is given");
  routine.callbacks.push_back({.name = "g"});
  arguments = usual.arguments();
  for (const Argument& wrong :
       {text, Argument{.memory = &usual, .number = Number::int8}, Argument{.kept = KeptArray{}}}) {
    std::vector<Argument> all = arguments;
    all.insert(all.begin(), wrong);
    EXPECT_EQ(error_of(routine, all), "g must be a function, and is none");
  }
  arguments.insert(arguments.begin(), function);
  EXPECT_EQ(error_of(routine, arguments), "");
}

void throw_fault(void* /*x*/) { throw std::runtime_error("no such point"); }
// NOLINTNEXTLINE(bugprone-std-exception-baseclass): a program may throw anything.
void throw_number(void* /*x*/) { throw 7; }

TEST(CallArgumentsTest, WhatAFunctionThrowsIsWhatHasHappened) {
  Usual usual;
  Routine routine = usual_routine();
  routine.callbacks.push_back(
      {.name = "g", .parameters = {parameter("x", Mode::in, Number::int8, {1})}});
  const auto happened = [&](void (*function)(void*)) {
    std::vector<Argument> arguments = usual.arguments();
    arguments.insert(arguments.begin(),
                     {.memory = reinterpret_cast<void*>(function), .is_function = true});
    void* const given[] = {&usual};
    return call_arguments(routine, arguments).functions.at("g")(given);
  };
  EXPECT_EQ(happened(throw_fault), "no such point");
  EXPECT_EQ(happened(throw_number), "it has thrown what is no std::exception");
}

TEST(CallArgumentsTest, ArraysThatAreOnlyWrittenMayBeLeftOut) {
  Usual usual;
  const Routine routine = usual_routine();
  std::vector<Argument> arguments = usual.arguments();
  EXPECT_TRUE(missing_results(routine, arguments).empty());
  arguments.pop_back();
  const std::vector<MissingResult> missing = missing_results(routine, arguments);
  ASSERT_EQ(missing.size(), 1U);
  EXPECT_EQ(missing[0].position, 2U);  // Work space is no argument.
  EXPECT_EQ(missing[0].type, "float64");
  EXPECT_EQ(missing[0].extents, std::vector<std::int64_t>{2});
  EXPECT_EQ(missing[0].bytes, sizeof usual.x);
  arguments.pop_back();
  EXPECT_THROW(missing_results(routine, arguments), error);
  usual.n = -1;
  EXPECT_THROW(missing_results(routine, std::vector<Argument>{{&usual.n}, {usual.a}}), error);
}

TEST(CallArgumentsTest, EmptyArraysNeedNoMemory) {
  std::int64_t none = 0;
  const std::vector<Argument> arguments = {{&none}, {}, {}};
  EXPECT_EQ(error_of(usual_routine(), arguments), "");
}

}  // namespace
}  // namespace tasuki::rpc
