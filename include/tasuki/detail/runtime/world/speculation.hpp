// A function whose next result is computed while the rank is idle, from the argument that is
// expected, and used if exactly that argument comes.
//
// predict.hpp makes one for each function and rank; Speculations keeps them and computes. Nothing
// outside of the object sees a result before it is taken. Thread-safety: none; the rank's own
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <tasuki/detail/predict/guard.hpp>
#include <tasuki/detail/predict/payload.hpp>
#include <tasuki/detail/runtime/calls/record.hpp>
#include <type_traits>
#include <utility>

namespace tasuki::runtime {

/// What is the same for all functions.
class Speculation {
 public:
  /// `type` names the types of function and argument; `function` is the address of a function that
  /// they do not name.
  struct Key {
    const void* type;
    std::uintptr_t function;
    friend bool operator==(const Key&, const Key&) = default;
  };

  Speculation(const Key& key, std::size_t argument_bytes) : key_(key), arguments_(argument_bytes) {}
  virtual ~Speculation() = default;
  Speculation(const Speculation&) = delete;
  Speculation& operator=(const Speculation&) = delete;

  const Key& key() const noexcept { return key_; }
  predict::PayloadPredictor& arguments() noexcept { return arguments_; }
  predict::Guard& guard() noexcept { return guard_; }

  /// Computes and keeps the result for these bytes of an argument. Throws what the function throws.
  virtual void compute(std::span<const std::byte> argument) = 0;
  virtual bool has_result() const noexcept = 0;
  virtual void discard() noexcept = 0;

  /// Something has arrived during the last chunk; at its middle, in the mean.
  void note_delay() noexcept { delayed_ns += last_chunk_ns / 2; }

  bool is_due = false;             ///< The result for the next guess is to be computed.
  std::int64_t computed_ns = 0;    ///< What the result has taken, or has so far.
  std::int64_t last_chunk_ns = 0;  ///< Of that, what was computed since the last poll.
  std::int64_t delayed_ns = 0;     ///< Of that, for what messages have waited.

 private:
  Key key_;
  predict::PayloadPredictor arguments_;
  predict::Guard guard_;
};

template <class F, class Argument>
class SpeculationOf final : public Speculation {
 public:
  using Result = std::invoke_result_t<F&, const Argument&>;

  SpeculationOf(const Key& key, F f) : Speculation(key, sizeof(Argument)), f_(f) {}

  void compute(std::span<const std::byte> argument) override {
    Reader reader(argument.data(), argument.data() + argument.size());
    const Argument expected = reader.read<Argument>();
    result_.emplace(std::invoke(f_, expected));
  }
  bool has_result() const noexcept override { return result_.has_value(); }
  void discard() noexcept override { result_.reset(); }
  /// Requires: has_result().
  Result take() {
    // Even if the move throws: what is left belongs to this argument alone.
    const struct Discarding {
      std::optional<Result>& result;
      ~Discarding() { result.reset(); }
    } discarding{result_};
    return *std::move(result_);
  }

 private:
  F f_;
  std::optional<Result> result_;
};

}  // namespace tasuki::runtime
