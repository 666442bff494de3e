#include "mpi/collectives/elements.hpp"

#include <tasuki/operators.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <vector>

namespace tasuki::mpi::collectives {
namespace {

using base::ElementType;
using base::Operator;

struct KnownElement {
  MPI_Datatype datatype;
  Element element;
};

template <typename Number>
KnownElement known(MPI_Datatype datatype) noexcept {
  return {datatype, {sizeof(Number), base::element_type_of<Number>()}};
}

/// Fortran's numbers have the sizes that its compiler gives them.
KnownElement known_of_fortran(MPI_Datatype datatype, bool is_integer) noexcept {
  int bytes = 0;
  if (datatype == MPI_DATATYPE_NULL || PMPI_Type_size(datatype, &bytes) != MPI_SUCCESS) {
    return {datatype, {}};
  }
  if (is_integer && bytes == 4) return known<std::int32_t>(datatype);
  if (is_integer && bytes == 8) return known<std::int64_t>(datatype);
  if (!is_integer && bytes == 4) return known<float>(datatype);
  if (!is_integer && bytes == 8) return known<double>(datatype);
  return {datatype, {}};
}

/// Bytes that nobody adds up.
KnownElement plain(MPI_Datatype datatype) noexcept { return {datatype, {1, ElementType::other}}; }

// The order is that of the standard's tables 3.1 to 3.3 (MPI 4.0), the commonest first.
std::vector<KnownElement> all_elements() {
  std::vector<KnownElement> all{
      known<double>(MPI_DOUBLE),
      known<int>(MPI_INT),
      known<float>(MPI_FLOAT),
      known<long>(MPI_LONG),
      known<long long>(MPI_LONG_LONG),
      known<unsigned>(MPI_UNSIGNED),
      known<unsigned long>(MPI_UNSIGNED_LONG),
      known<unsigned long long>(MPI_UNSIGNED_LONG_LONG),
      known<short>(MPI_SHORT),
      known<unsigned short>(MPI_UNSIGNED_SHORT),
      known<std::int8_t>(MPI_SIGNED_CHAR),
      known<std::uint8_t>(MPI_UNSIGNED_CHAR),
      known<std::int8_t>(MPI_INT8_T),
      known<std::int16_t>(MPI_INT16_T),
      known<std::int32_t>(MPI_INT32_T),
      known<std::int64_t>(MPI_INT64_T),
      known<std::uint8_t>(MPI_UINT8_T),
      known<std::uint16_t>(MPI_UINT16_T),
      known<std::uint32_t>(MPI_UINT32_T),
      known<std::uint64_t>(MPI_UINT64_T),
      known<MPI_Aint>(MPI_AINT),
      known<MPI_Offset>(MPI_OFFSET),
      known<MPI_Count>(MPI_COUNT),
      plain(MPI_BYTE),
      plain(MPI_CHAR),
      plain(MPI_PACKED),
      plain(MPI_CHARACTER),
      known_of_fortran(MPI_INTEGER, true),
      known_of_fortran(MPI_REAL, false),
      known_of_fortran(MPI_DOUBLE_PRECISION, false),
  };
  std::erase_if(all, [](const KnownElement& one) { return !one.element; });
  return all;
}

struct LastReduction {
  MPI_Datatype datatype = MPI_DATATYPE_NULL;
  MPI_Op op = MPI_SUM;
  Reduction reduction = {};  ///< None for no datatype.
};

template <typename Number, typename Op>
Reduction reduction(Operator op) noexcept {
  return {coll::reduce_op<Number>(Op{}), {base::element_type_of<Number>(), op}};
}

template <typename Number>
Reduction reduction_on(MPI_Op op) noexcept {
  if (op == MPI_SUM) return reduction<Number, Sum>(Operator::sum);
  if (op == MPI_PROD) return reduction<Number, Product>(Operator::product);
  if (op == MPI_MAX) return reduction<Number, Max>(Operator::maximum);
  if (op == MPI_MIN) return reduction<Number, Min>(Operator::minimum);
  if constexpr (std::integral<Number>) {
    if (op == MPI_LAND) return reduction<Number, LogicalAnd>(Operator::logical_and);
    if (op == MPI_LOR) return reduction<Number, LogicalOr>(Operator::logical_or);
    if (op == MPI_LXOR) return reduction<Number, LogicalXor>(Operator::logical_xor);
    if (op == MPI_BAND) return reduction<Number, BitwiseAnd>(Operator::bitwise_and);
    if (op == MPI_BOR) return reduction<Number, BitwiseOr>(Operator::bitwise_or);
    if (op == MPI_BXOR) return reduction<Number, BitwiseXor>(Operator::bitwise_xor);
  }
  return {};
}

}  // namespace

Element element_of(MPI_Datatype datatype) noexcept {
  static const std::vector<KnownElement> all = all_elements();
  const auto found = std::find_if(all.begin(), all.end(), [datatype](const KnownElement& one) {
    return one.datatype == datatype;
  });
  return found != all.end() ? found->element : Element{};
}

Reduction reduction_of(MPI_Op op, ElementType type) noexcept {
  switch (type) {
    case ElementType::int8:
      return reduction_on<std::int8_t>(op);
    case ElementType::int16:
      return reduction_on<std::int16_t>(op);
    case ElementType::int32:
      return reduction_on<std::int32_t>(op);
    case ElementType::int64:
      return reduction_on<std::int64_t>(op);
    case ElementType::uint8:
      return reduction_on<std::uint8_t>(op);
    case ElementType::uint16:
      return reduction_on<std::uint16_t>(op);
    case ElementType::uint32:
      return reduction_on<std::uint32_t>(op);
    case ElementType::uint64:
      return reduction_on<std::uint64_t>(op);
    case ElementType::float32:
      return reduction_on<float>(op);
    case ElementType::float64:
      return reduction_on<double>(op);
    case ElementType::other:
      break;
  }
  return {};
}

bool set_reduction(coll::Call& call, MPI_Datatype datatype, MPI_Op op) noexcept {
  // Programs repeat their reductions. What handles of predefined datatypes and operators mean does
  // not change, and other handles mean nothing here.
  static LastReduction last;
  if (datatype != last.datatype || op != last.op) {
    last = {datatype, op, reduction_of(op, element_of(datatype).type)};
  }
  if (!last.reduction) return false;
  call.shape.element_bytes = last.reduction.op.element_bytes;
  call.shape.commutative = true;
  call.shape.arithmetic = last.reduction.arithmetic;
  call.op = last.reduction.op;
  return true;
}

}  // namespace tasuki::mpi::collectives
