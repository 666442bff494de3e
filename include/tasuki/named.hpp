// Functions that ranks call by a name: how ranks of different programs of one job, also of C++ and
// Python, call each other.
//
//   double mean(const std::vector<double>& values);
//   inline const tasuki::Named mean_named{"mean", &mean};          // others may call it
//   inline const tasuki::Named<double(double)> cost{"cost"};       // a function of another program
//   ...
//   const double of_rank_1 = cost.invoke(1, 0.5);
//
// Arguments and results are booleans, integers, floating-point numbers, std::string,
// std::vector<std::byte>, and vectors of these. They are checked where they arrive: an integer must
// fit, an array have the same type of element. What a function throws comes back as from `invoke`
// (call.hpp). docs/guide/python-on-ranks.md shows a job of two programs.
//
// Thread-safety: made before tasuki::run or by the rank's own thread; called by that.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <tasuki/detail/runtime/calls/common_value.hpp>
#include <tasuki/future.hpp>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tasuki {
namespace runtime {

/// The common values of all arguments, or of the result.
using NamedBytes = std::vector<std::byte>;
using NamedFunction = std::function<NamedBytes(ValueReader& arguments)>;

/// The ranks of this process run `function` when `name` is called. Throws tasuki::error: there is
/// another function of that name.
void name_function(const std::string& name, NamedFunction function);
/// Ranks of other programs may be in the job.
void call_by_name();
/// The name, for as long as the process lives: hang reports show it.
const char* kept_name(const std::string& name);
Future<NamedBytes> ainvoke_named(int rank, const std::string& name, const NamedBytes& arguments);
void post_named(int rank, const std::string& name, const NamedBytes& arguments);

}  // namespace runtime

/// A function under a name, with its types: `Named<Result(Parameters...)>`.
/// Example: examples/named_functions.cpp
template <class Signature>
class Named;
/// Example: examples/named_functions.cpp
template <class Result, class... Parameters>
class Named<Result(Parameters...)> {
  using Returned = std::decay_t<Result>;
  static_assert((runtime::CommonlyKnown<std::decay_t<Parameters>> && ...) &&
                    (std::is_void_v<Result> || runtime::CommonlyKnown<Returned>),
                "tasuki: a parameter or the result of a function that is called by name is of a "
                "type that other languages do not know. Use numbers, std::string, "
                "std::vector<std::byte> or vectors of these.");

 public:
  /// One that ranks of other programs have. Example: examples/named_functions.cpp
  explicit Named(std::string name) : name_(std::move(name)) { runtime::call_by_name(); }
  /// `function`, for ranks of other programs and for those of this one. Throws tasuki::error if
  /// another function has that name. Example: examples/named_functions.cpp
  Named(std::string name, Result (*function)(Parameters...)) : Named(std::move(name)) {
    runtime::name_function(
        name_, [function](runtime::ValueReader& arguments) { return run(function, arguments); });
  }

  /// Example: examples/named_functions.cpp
  const std::string& name() const noexcept { return name_; }

  /// Calls it on `rank` and waits. Returns: what it returned there. Throws: what it threw there;
  /// tasuki::remote_error if that rank has no function of that name, or for other types.
  /// Example: examples/named_functions.cpp
  Result invoke(int rank, const std::decay_t<Parameters>&... arguments) const {
    return ainvoke(rank, arguments...).get();
  }
  /// The same without waiting. Example: examples/named_functions.cpp
  Future<Returned> ainvoke(int rank, const std::decay_t<Parameters>&... arguments) const {
    Future<runtime::NamedBytes> answer = runtime::ainvoke_named(rank, name_, written(arguments...));
    const fiber::WaitReason reason = answer.internal_state()->reason();
    Future<Returned> result =
        std::move(answer).then([name = name_](const runtime::NamedBytes& bytes) -> Returned {
          if constexpr (!std::is_void_v<Result>) {
            runtime::ValueReader reader(bytes, name);
            return runtime::CommonCodec<Returned>::read(reader);
          }
        });
    result.internal_state()->set_reason(reason);  // Who waits for it waits for the call.
    return result;
  }
  /// One-way. An exception there is reported and ends the job.
  /// Example: examples/named_functions.cpp
  void post(int rank, const std::decay_t<Parameters>&... arguments) const {
    runtime::post_named(rank, name_, written(arguments...));
  }

 private:
  static runtime::NamedBytes written(const std::decay_t<Parameters>&... arguments) {
    runtime::ValueWriter writer;
    (runtime::CommonCodec<std::decay_t<Parameters>>::write(writer, arguments), ...);
    return writer.take();
  }

  template <class T>
  static T read(runtime::ValueReader& arguments) {
    arguments.begin_argument();
    return runtime::CommonCodec<T>::read(arguments);
  }

  static runtime::NamedBytes run(Result (*function)(Parameters...),
                                 runtime::ValueReader& arguments) {
    // Braces: the arguments are taken out in the order in which they were written.
    std::tuple<std::decay_t<Parameters>...> values{read<std::decay_t<Parameters>>(arguments)...};
    arguments.expect_end(sizeof...(Parameters));
    runtime::ValueWriter result;
    if constexpr (std::is_void_v<Result>) {
      std::apply(function, std::move(values));
      result.put_nothing();
    } else {
      runtime::CommonCodec<Returned>::write(result, std::apply(function, std::move(values)));
    }
    return result.take();
  }

  std::string name_;
};

/// Its types are those of the function. Example: examples/named_functions.cpp
template <class Result, class... Parameters>
Named(const char*, Result (*)(Parameters...)) -> Named<Result(Parameters...)>;

}  // namespace tasuki
