#include "python/prepared_collective.hpp"

#include <fmt/format.h>

#include <complex>
#include <cstdint>
#include <tasuki/error.hpp>
#include <typeinfo>

namespace tasuki::python {
namespace {

using coll::Collective;

/// In the order of ElementKind; what debug builds compare between ranks.
const std::type_info* const types[] = {&typeid(std::byte),
                                       &typeid(bool),
                                       &typeid(std::int8_t),
                                       &typeid(std::int16_t),
                                       &typeid(std::int32_t),
                                       &typeid(std::int64_t),
                                       &typeid(std::uint8_t),
                                       &typeid(std::uint16_t),
                                       &typeid(std::uint32_t),
                                       &typeid(std::uint64_t),
                                       &typeid(float),
                                       &typeid(double),
                                       &typeid(std::complex<float>),
                                       &typeid(std::complex<double>)};

void require_alike(const Elements& input, const Elements& output, const char* operation) {
  if (input.element_bytes() == output.element_bytes() && input.kind() == output.kind()) return;
  throw error(operation,
              fmt::format("input has elements of {} ({} bytes), output of {} ({} bytes)",
                          name_of(input.kind()), input.element_bytes(), name_of(output.kind()),
                          output.element_bytes()),
              "give both arrays the same dtype");
}

/// The call with its arrays, each of which may be None.
PreparedCollective with_arrays(Collective collective, Array input, Array output, int root = 0) {
  const char* const operation = coll::name_of(collective);
  PreparedCollective prepared{runtime::CollectiveCall(collective), {}, {}};
  const bool has_input = !input.is_none();
  const bool has_output = !output.is_none();
  if (has_output) {
    const char* const its_name = collective == Collective::broadcast ? "data" : "output";
    prepared.output = Elements(output.ptr(), Elements::Access::write, operation,
                               input.is(output) ? "input" : its_name);
  }
  runtime::CollectiveCall& call = prepared.call;
  const Elements* of_input = &prepared.output;
  if (has_input && !input.is(output)) {
    prepared.input = Elements(input.ptr(), Elements::Access::read, operation, "input");
    of_input = &prepared.input;
    if (has_output) require_alike(prepared.input, prepared.output, operation);
  }
  if (has_input) {
    call.input = of_input->data();
    call.input_count = of_input->count();
  }
  call.output = prepared.output.data();
  call.output_count = prepared.output.count();
  const Elements& either = has_output ? prepared.output : *of_input;
  call.shape.element_bytes = either.element_bytes() == 0 ? 1 : either.element_bytes();
  call.shape.root = root;
  call.element_type = types[static_cast<std::size_t>(either.kind())];
  return prepared;
}

/// On the elements of `array`.
void set_any_operator(PreparedCollective& prepared, AnyOperator op, Array array,
                      const Elements& elements) {
  runtime::CollectiveCall& call = prepared.call;
  const char* const operation = coll::name_of(call.collective);
  Operator named{};
  if (nanobind::try_cast(op, named, false)) {
    set_operator(call, named, elements, operation);
    return;
  }
  if (PyCallable_Check(op.ptr()) == 0) {
    throw error(operation, fmt::format("op is a {}", Py_TYPE(op.ptr())->tp_name),
                "give an operator, as ranks.Max, or a function of two arrays");
  }
  const auto function = std::make_shared<FunctionOperator>(op, array, elements.element_bytes());
  call.op = function->reduce_op();
  call.shape.commutative = function->commutes();
  prepared.function = function;
}

PreparedCollective reduction(Collective collective, Array input, Array output, AnyOperator op,
                             int root = 0) {
  PreparedCollective prepared = with_arrays(collective, input, output, root);
  prepared.call.shape.count = prepared.call.input_count;
  const bool has_output = !output.is_none();
  set_any_operator(prepared, op, has_output ? output : input,
                   has_output ? prepared.output : prepared.input);
  return prepared;
}

/// The output that stands for None.
Array in_place(Array input, Array output) { return output.is_none() ? input : output; }

}  // namespace

PreparedCollective prepare_broadcast(const Team&, Array data, int root) {
  PreparedCollective prepared = with_arrays(Collective::broadcast, nanobind::none(), data, root);
  prepared.call.shape.count = prepared.call.output_count;
  return prepared;
}

PreparedCollective prepare_reduce(const Team& team, Array input, Array output, AnyOperator op,
                                  int root) {
  if (team.rank() != root) return reduction(Collective::reduce, input, nanobind::none(), op, root);
  return reduction(Collective::reduce, input, in_place(input, output), op, root);
}

PreparedCollective prepare_allreduce(const Team&, Array input, Array output, AnyOperator op) {
  return reduction(Collective::allreduce, input, in_place(input, output), op);
}

PreparedCollective prepare_scan(const Team&, Array input, Array output, AnyOperator op) {
  return reduction(Collective::scan, input, in_place(input, output), op);
}

PreparedCollective prepare_exscan(const Team&, Array input, Array output, AnyOperator op) {
  return reduction(Collective::exscan, input, in_place(input, output), op);
}

PreparedCollective prepare_gather(const Team& team, Array input, Array output, int root) {
  const Array taken = team.rank() == root ? output : Array(Py_None);
  PreparedCollective prepared = with_arrays(Collective::gather, input, taken, root);
  prepared.call.shape.count = prepared.call.input_count;
  return prepared;
}

PreparedCollective prepare_gatherv(const Team& team, Array input, Array output,
                                   const Blocks& blocks, int root) {
  const Array taken = team.rank() == root ? output : Array(Py_None);
  PreparedCollective prepared = with_arrays(Collective::gatherv, input, taken, root);
  prepared.call.shape.count = prepared.call.input_count;
  prepared.call.shape.receive_counts = blocks.counts;
  prepared.call.shape.receive_displacements = blocks.displacements;
  return prepared;
}

PreparedCollective prepare_scatter(const Team& team, Array input, Array output, int root) {
  const Array given = team.rank() == root ? input : Array(Py_None);
  PreparedCollective prepared = with_arrays(Collective::scatter, given, output, root);
  prepared.call.shape.count = prepared.call.output_count;
  return prepared;
}

PreparedCollective prepare_scatterv(const Team& team, Array input, const Blocks& blocks,
                                    Array output, int root) {
  const Array given = team.rank() == root ? input : Array(Py_None);
  PreparedCollective prepared = with_arrays(Collective::scatterv, given, output, root);
  prepared.call.shape.count = prepared.call.output_count;
  prepared.call.shape.send_counts = blocks.counts;
  prepared.call.shape.send_displacements = blocks.displacements;
  return prepared;
}

PreparedCollective prepare_allgather(const Team&, Array input, Array output) {
  PreparedCollective prepared = with_arrays(Collective::allgather, input, output);
  prepared.call.shape.count = prepared.call.input_count;
  return prepared;
}

PreparedCollective prepare_allgatherv(const Team&, Array input, Array output,
                                      const Blocks& blocks) {
  PreparedCollective prepared = with_arrays(Collective::allgatherv, input, output);
  prepared.call.shape.count = prepared.call.input_count;
  prepared.call.shape.receive_counts = blocks.counts;
  prepared.call.shape.receive_displacements = blocks.displacements;
  return prepared;
}

PreparedCollective prepare_alltoall(const Team& team, Array input, Array output) {
  PreparedCollective prepared = with_arrays(Collective::alltoall, input, output);
  prepared.call.shape.count = prepared.call.input_count / static_cast<std::size_t>(team.size());
  return prepared;
}

PreparedCollective prepare_alltoallv(const Team&, Array input, const Blocks& sent, Array output,
                                     const Blocks& received) {
  PreparedCollective prepared = with_arrays(Collective::alltoallv, input, output);
  prepared.call.shape.send_counts = sent.counts;
  prepared.call.shape.send_displacements = sent.displacements;
  prepared.call.shape.receive_counts = received.counts;
  prepared.call.shape.receive_displacements = received.displacements;
  return prepared;
}

PreparedCollective prepare_reduce_scatter(const Team&, Array input, Array output, AnyOperator op,
                                          const Counts& counts) {
  const Collective collective =
      counts.empty() ? Collective::reduce_scatter_block : Collective::reduce_scatter;
  PreparedCollective prepared = reduction(collective, input, output, op);
  prepared.call.shape.count = prepared.call.output_count;
  prepared.call.shape.receive_counts = counts;
  return prepared;
}

}  // namespace tasuki::python
