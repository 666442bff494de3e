#include "measure/mpi_schedules.hpp"

#include <tasuki/detail/coll/reduction.hpp>
#include <tasuki/detail/coll/registry.hpp>

#include <string_view>

#include "common/parameters_json.hpp"

namespace tasuki::measure {
namespace {

constexpr std::string_view prefix = "schedule:";

const coll::AlgorithmDescriptor& descriptor_of(const Request& request) {
  return coll::algorithm_named(request.collective, registry_name(request.algorithm));
}

std::string not_for(const coll::AlgorithmDescriptor& algorithm, const coll::Shape& shape,
                    const coll::Parameters& parameters) {
  if (algorithm.medium() != coll::Medium::messages) return "it is not made of messages";
  return not_usable_because(algorithm, shape, parameters);
}

}  // namespace

bool is_schedule(const std::string& algorithm) { return algorithm.starts_with(prefix); }

std::string registry_name(const std::string& algorithm) {
  return algorithm.substr(is_schedule(algorithm) ? prefix.size() : 0);
}

ScheduleLibrary::ScheduleLibrary(mpi::Executor& executor, const Request& request)
    : executor_(executor),
      algorithm_(descriptor_of(request)),
      parameters_(complete(algorithm_, coll::Parameters::parse(request.parameters))),
      shape_(shape_of(request, executor.rank(), executor.size())) {
  shape_.placement = executor.placement();
}

std::string ScheduleLibrary::unavailable_because() const {
  return not_for(algorithm_, shape_, parameters_);
}

void ScheduleLibrary::run(const Request& request, const std::vector<float>& input,
                          std::vector<float>& output, int root) {
  static const coll::ReduceOp sum = coll::reduce_op<float>(tasuki::Sum{});
  shape_.root = root;
  executor_.run(algorithm_, parameters_, shape_, input.data(), output.data(),
                coll::reduces(request.collective) ? &sum : nullptr);
}

void add_schedules(apps::Json& algorithms, const Request& request, const coll::Shape& shape) {
  for (const coll::AlgorithmDescriptor* one : coll::algorithms_of(request.collective)) {
    if (one->medium() != coll::Medium::messages) continue;
    algorithms.push_back({{"algorithm", std::string(prefix) + one->name},
                          {"parameters", apps::parameters_json(one->parameters)},
                          {"unavailable", not_for(*one, shape, complete(*one, {}))}});
  }
}

}  // namespace tasuki::measure
