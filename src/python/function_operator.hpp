// A function of Python as the operator of a reduction on arrays: what python/tasuki/ranks/
// operators.py makes of two pieces of them.
//
// Made by the functions of collectives.cpp that reduce; lives until the operation is complete. What
// the function raises comes out of the operation on the rank where it was raised.
//
// Thread-safety: the rank's own thread; made by a fiber that runs Python.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <tasuki/detail/coll/reduction.hpp>

#include "python/thread_state.hpp"

namespace tasuki::python {

class FunctionOperator {
 public:
  /// On elements as those of `array`.
  FunctionOperator(nanobind::handle function, nanobind::handle array, std::size_t element_bytes);
  FunctionOperator(const FunctionOperator&) = delete;
  FunctionOperator& operator=(const FunctionOperator&) = delete;

  /// Requires: this outlives the operation.
  coll::ReduceOp reduce_op() const noexcept;
  /// Does the function say so, by an attribute `commutative`?
  bool commutes() const;
  /// Raises what the function has raised, if it has.
  void raise_failure() const;

 private:
  static void apply(const void* left, void* in_out, std::size_t count, const void* state) noexcept;
  static void apply_right(const void* right, void* in_out, std::size_t count,
                          const void* state) noexcept;
  void combine(const void* one, const void* other, void* result, std::size_t count) const noexcept;

  Reference function_;
  Reference dtype_;
  std::size_t element_bytes_;
  mutable Reference failure_;  ///< The first exception; nothing is combined after it.
};

void bind_function_operators(nanobind::module_& module);

}  // namespace tasuki::python
