// A rank of which a test plays the front end and the client.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "rpc/interface/parameters.hpp"
#include "rpc/rank/call_reporter.hpp"
#include "rpc/rank/current_call.hpp"
#include "rpc/rank/front_end_link.hpp"
#include "rpc/rank/kept.hpp"
#include "rpc/rank/rank_program.hpp"
#include "rpc/wire/frame.hpp"
#include "rpc/wire/transfers.hpp"

namespace tasuki::rpc {

/// twice(IN int64 n, IN float64 x[n], OUT float64 y[n]), fail(), missing() without a function, and
/// class Sum, of which each object has a sum: add(IN int64 step, OUT int64 sum[1]).
class PlayedProgram {
 public:
  PlayedProgram() {
    const nlohmann::json n = nlohmann::json::array({"n"});
    const nlohmann::json one = nlohmann::json::array({1});
    module_.name = "m";
    module_.routines = {
        {"twice",
         "",
         {parameter("n", Mode::in, Number::int64), parameter("x", Mode::in, Number::float64, n),
          parameter("y", Mode::out, Number::float64, n)}},
        {"fail", "", {}},
        {"missing", "", {}}};
    module_.classes = {{"Sum",
                        "",
                        {{"Sum.add",
                          "",
                          {parameter("step", Mode::in, Number::int64),
                           parameter("sum", Mode::out, Number::int64, one)}}}}};
    module_.json = {{"interface", 1}, {"module", "m"}};
  }

  const Module& module() const noexcept { return module_; }
  RankProgram of_rank(int rank, int ranks) const {
    return {rank, ranks, module_, routines_, classes_};
  }
  std::span<const RoutineEntry> routines() const noexcept { return routines_; }

 private:
  static void twice(void* const* arguments) {
    const auto* const x = static_cast<const double*>(arguments[1]);
    auto* const y = static_cast<double*>(arguments[2]);
    for (std::int64_t i = 0; i < *static_cast<const std::int64_t*>(arguments[0]); ++i) {
      y[i] = 2 * x[i];
    }
  }
  static void fail(void* const*) { CurrentCall::get()->fail("the matrix is singular"); }
  static void add(void* const* arguments) {
    sum_ += *static_cast<const std::int64_t*>(arguments[0]);
    *static_cast<std::int64_t*>(arguments[1]) = sum_;
  }

  inline static std::int64_t sum_ = 0;

  Module module_;
  std::array<StateVariable, 1> variables_ = {{{&sum_, sizeof sum_}}};
  std::array<ClassEntry, 1> classes_ = {{{"Sum", variables_}}};
  std::array<RoutineEntry, 3> routines_ = {{{"twice", twice}, {"fail", fail}, {"Sum.add", add}}};
};

/// What a rank has while it serves a client.
class PlayedRank : public testing::Test {
 protected:
  static constexpr Socket::Seconds patience{60};
  static constexpr std::int64_t keep_limit_bytes = 64;

  PlayedRank() {
    front_end_.set_timeout(patience);
    client_.set_timeout(patience);
  }

  /// What the front end is told next of that kind.
  nlohmann::json told(const char* kind) {
    while (true) {
      nlohmann::json message = receive_frame(front_end_);
      if (message.at("message") == kind) return message;
    }
  }

  PlayedProgram played_;
  RankProgram program_ = played_.of_rank(0, 1);
  Kept kept_{program_, keep_limit_bytes};
  std::pair<Socket, Socket> front_end_ends_ = connected();
  std::pair<Socket, Socket> client_ends_ = connected();
  Socket& front_end_ = front_end_ends_.first;
  Socket& client_ = client_ends_.first;
  Socket& rank_end_ = client_ends_.second;
  Listener listener_{{"127.0.0.1", 0}};
  FrontEndLink link_{std::move(front_end_ends_.second), std::chrono::hours(1)};
  CallReporter reporter_{link_};
};

}  // namespace tasuki::rpc
