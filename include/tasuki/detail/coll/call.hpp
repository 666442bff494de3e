// One collective as a rank calls it, without the types of its elements.
//
// Made by whoever offers collectives (the runtime's templates); read by what carries them out.
// Thread-safety: values.
#pragma once

#include <cstddef>
#include <span>

#include <tasuki/detail/coll/collective.hpp>
#include <tasuki/detail/coll/reduction.hpp>
#include <tasuki/detail/coll/shape.hpp>

namespace tasuki::coll {

/// Input and output are as collective.hpp says.
struct Call {
  explicit Call(Collective of) : collective(of) {}
  // Constructors, for an aggregate of this size is first cleared as a whole, by an instruction that
  // takes 10 ns (`rep stos`, GCC 12).
  template <class T>
  Call(Collective of, std::size_t count, std::span<const T> from, std::span<T> to, int root)
      : collective(of),
        input(from.data()),
        input_count(from.size()),
        output(to.data()),
        output_count(to.size()) {
    set_shape<T>(count, root);
  }
  /// `by` must outlive the call. Made in its place: an operator that is assigned would be made
  /// elsewhere and copied, which waits since its parts have only just been stored.
  template <class T, class Op>
  Call(Collective of, std::size_t count, std::span<const T> from, std::span<T> to, int root,
       const Op& by)
      : collective(of),
        input(from.data()),
        input_count(from.size()),
        output(to.data()),
        output_count(to.size()),
        op(reduce_op<T>(by)) {
    set_shape<T>(count, root);
    shape.commutative = is_commutative<Op, T>();
    shape.arithmetic = arithmetic_of<Op, T>();
  }

  Collective collective;
  Shape shape;  ///< `rank` and `ranks` are filled in by who carries it out.
  const void* input = nullptr;
  std::size_t input_count = 0;  ///< What the caller gave; checked against the shape.
  void* output = nullptr;
  std::size_t output_count = 0;
  ReduceOp op;

 private:
  template <class T>
  void set_shape(std::size_t count, int root) {
    shape.element_bytes = sizeof(T);
    shape.count = count;
    shape.root = root;
  }
};

}  // namespace tasuki::coll
