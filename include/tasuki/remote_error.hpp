// Failures of remote calls: what a remote function threw comes back to whoever asks for its result.
//
// Exceptions of the standard library come back as their own type with their own text, except those
// derived from std::system_error; everything else as `remote_error`.
//
// Thread-safety: values.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <tasuki/error.hpp>

namespace tasuki {

/// What a remote function threw, when its type cannot be rebuilt here.
///     try {
///       tasuki::invoke(0, [] { throw 42; });
///     } catch (const tasuki::remote_error& e) {
///       std::printf("rank %d: %s: %s\n", e.remote_rank(), e.function().c_str(), e.text().c_str());
///     }
class remote_error : public error {
 public:
  remote_error(int remote_rank, std::string function, std::string text);

  int remote_rank() const noexcept { return remote_rank_; }  ///< Where the function ran.
  const std::string& function() const noexcept { return function_; }
  const std::string& text() const noexcept { return text_; }  ///< The exception's own text.

 private:
  int remote_rank_;
  std::string function_;
  std::string text_;
};

namespace runtime {

/// An exception as it travels.
struct Failure {
  enum class Kind : std::uint8_t;
  Kind kind;
  std::int32_t code = 0;   ///< Of a std::system_error.
  std::int32_t rank = -1;  ///< Where it was thrown.
  std::string function;
  std::string text;
};

/// Describes the exception being handled, which `function` threw on this rank or, if it is a
/// remote_error, passed on.
Failure describe_current_exception(std::string function);
/// The other way round, on the caller's rank.
std::exception_ptr rebuild(const Failure& failure);

}  // namespace runtime
}  // namespace tasuki
