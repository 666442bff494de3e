#include "python/function_operator.hpp"

#include <span>
#include <utility>

#include "python/bytes.hpp"

namespace tasuki::python {
namespace {

namespace nb = nanobind;

/// The functions of operators.py that know what elements are.
struct Handlers {
  nb::callable dtype_of;  ///< An array -> NumPy's type of its elements.
  nb::callable combine;   ///< Function, type, two operands and the place of the result.
};
/// Never destroyed: the interpreter ends before.
Handlers& handlers() {
  static auto* const all = new Handlers;
  return *all;
}

Reference held(nb::object object) { return Reference(object.release().ptr()); }

}  // namespace

FunctionOperator::FunctionOperator(nb::handle function, nb::handle array, std::size_t element_bytes)
    : function_(held(nb::borrow(function))),
      dtype_(held(handlers().dtype_of(array))),
      element_bytes_(element_bytes) {}

coll::ReduceOp FunctionOperator::reduce_op() const noexcept {
  coll::ReduceOp op;
  op.apply = &apply;
  op.apply_right = &apply_right;
  op.state = this;
  op.element_bytes = element_bytes_;
  return op;
}

bool FunctionOperator::commutes() const {
  const nb::object says = nb::getattr(nb::handle(function_.get()), "commutative", nb::none());
  return PyObject_IsTrue(says.ptr()) == 1;
}

void FunctionOperator::raise_failure() const {
  if (failure_.get() == nullptr) return;
  const Attached attached;
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(failure_.get())), failure_.get());
  nb::raise_python_error();
}

void FunctionOperator::apply(const void* left, void* in_out, std::size_t count,
                             const void* state) noexcept {
  static_cast<const FunctionOperator*>(state)->combine(left, in_out, in_out, count);
}

void FunctionOperator::apply_right(const void* right, void* in_out, std::size_t count,
                                   const void* state) noexcept {
  static_cast<const FunctionOperator*>(state)->combine(in_out, right, in_out, count);
}

void FunctionOperator::combine(const void* one, const void* other, void* result,
                               std::size_t count) const noexcept {
  const Attached attached;
  if (failure_.get() != nullptr) return;
  const std::size_t bytes = count * element_bytes_;
  const auto view = [&](const void* operand) {
    return view_of({static_cast<const std::byte*>(operand), bytes});
  };
  try {
    handlers().combine(nb::handle(function_.get()), nb::handle(dtype_.get()), view(one),
                       view(other), writable_view_of({static_cast<std::byte*>(result), bytes}));
  } catch (nb::python_error& failure) {
    failure_ = held(nb::borrow(failure.value()));
  }
}

void bind_function_operators(nb::module_& module) {
  module.def(
      "set_operator_handlers",
      [](nb::callable dtype_of, nb::callable combine) {
        handlers() = {std::move(dtype_of), std::move(combine)};
      },
      nb::arg("dtype_of"), nb::arg("combine"));
}

}  // namespace tasuki::python
