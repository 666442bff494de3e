#include "rpc/sessions/variable_arguments.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdarg>
#include <cstdint>
#include <string>
#include <tasuki/error.hpp>

#include "rpc/interface/parameters.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

Parameter scalar(const char* name, Number number) { return parameter(name, Mode::in, number); }

Parameter array(const char* name, Mode mode) {
  return parameter(name, mode, Number::float64, {"count"});
}

/// As grpc_call is.
CallArguments read(const Routine* routine, ...) {
  std::va_list arguments;
  va_start(arguments, routine);
  CallArguments result = arguments_from(*routine, arguments);
  va_end(arguments);
  return result;
}

Routine all_scalars() {
  Routine routine{"f", "", {}};
  for (const char* name : {"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
                           "float32", "float64", "complex64", "complex128"}) {
    routine.parameters.push_back(scalar(name, *number_of(name)));
  }
  return routine;
}

TEST(VariableArgumentsTest, ScalarsAreValuesAsCPassesThem) {
  const Routine routine = all_scalars();
  const std::int8_t small = -3;
  const std::uint16_t natural = 65535;
  __extension__ _Complex float half;
  __extension__ _Complex double twice;
  __real__ half = 0.5F, __imag__ half = 1.5F;
  __real__ twice = 2.0, __imag__ twice = 3.0;
  const json scalars = read(&routine, small, -300, -70000, INT64_MIN, 200, natural, UINT32_MAX,
                            UINT64_MAX, 0.25F, 0.1, half, twice)
                           .scalars;
  EXPECT_EQ(scalars, json({{"int8", -3},
                           {"int16", -300},
                           {"int32", -70000},
                           {"int64", INT64_MIN},
                           {"uint8", 200},
                           {"uint16", 65535},
                           {"uint32", UINT32_MAX},
                           {"uint64", UINT64_MAX},
                           {"float32", 0.25},
                           {"float64", 0.1},
                           {"complex64", {0.5, 1.5}},
                           {"complex128", {2.0, 3.0}}}));
}

TEST(VariableArgumentsTest, AValueThatTheTypeDoesNotHoldIsRefused) {
  const Routine routine{"f", "", {scalar("small", Number::int8)}};
  EXPECT_EQ(read(&routine, 127).scalars["small"], 127);
  EXPECT_THROW(read(&routine, 128), error);
}

/// f(IN int32 count, WORK float64 w[count], OUT float64 x[count], IN float32 factor).
Routine with_arrays() {
  return {"f",
          "",
          {scalar("count", Number::int32), array("w", Mode::work), array("x", Mode::out),
           scalar("factor", Number::float32)}};
}

TEST(VariableArgumentsTest, ArraysArePointersAndWorkSpaceIsNotGiven) {
  const Routine routine = with_arrays();
  std::array<double, 2> x = {};
  const CallArguments made = read(&routine, 2, x.data(), 0.5);
  EXPECT_EQ(made.scalars, json({{"count", 2}, {"factor", 0.5}}));
  ASSERT_EQ(made.arrays.size(), 2U);
  const auto& given = std::get<ArrayArgument>(made.arrays[1]);
  EXPECT_EQ(given.memory, reinterpret_cast<std::byte*>(x.data()));
  EXPECT_EQ(given.memory_bytes, sizeof x);
}

TEST(VariableArgumentsTest, AStackHasPointersToScalarsOfTheInterfacesType) {
  const Routine routine = with_arrays();
  std::int32_t count = 2;
  float factor = 0.5F;
  std::array<double, 2> x = {};
  const std::array<void*, 3> stack = {&count, x.data(), &factor};
  const CallArguments made = arguments_from(routine, stack);
  EXPECT_EQ(made.scalars, json({{"count", 2}, {"factor", 0.5}}));
  EXPECT_THROW(arguments_from(routine, std::span(stack).first(2)), error);
}

int times_called = 0;
void note(double* value) { times_called += static_cast<int>(*value); }

/// f(IN string name, g(IN float64 x[1]), OUT filename file, OUT string texts[2]).
Routine with_all_kinds() {
  Routine routine{"f",
                  "",
                  {text_parameter("name", Mode::in), file_parameter("file", Mode::out),
                   text_parameter("texts", Mode::out)}};
  routine.parameters.back().sizes.push_back(Expression::from_json(2));
  routine.parameters.back().ranges.emplace_back();
  const Parameter x = parameter("x", Mode::in, Number::float64, json::array({1}));
  routine.callbacks.push_back({"g", 1, {x}});
  return routine;
}

TEST(VariableArgumentsTest, TextsFilesAndFunctionsArePointers) {
  const Routine routine = with_all_kinds();
  char* texts[2] = {};
  std::string name = "a name", file = "path.txt";
  const std::array<void*, 4> stack = {name.data(), reinterpret_cast<void*>(note), file.data(),
                                      static_cast<void*>(texts)};
  for (const CallArguments& made :
       {read(&routine, name.data(), note, file.data(), texts), arguments_from(routine, stack)}) {
    EXPECT_EQ(made.scalars, json({{"name", "a name"}, {"file", "path.txt"}}));
    ASSERT_EQ(made.texts.size(), 1U);
    EXPECT_EQ(made.texts[0].pointers, texts);
    double value = 5;
    void* const given = &value;
    times_called = 0;
    EXPECT_FALSE(made.functions.at("g")(&given));
    EXPECT_EQ(times_called, 5);
  }
}

}  // namespace
}  // namespace tasuki::rpc
