#include <tasuki/detail/coll/algorithm.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tasuki/error.hpp>

#include <algorithm>
#include <vector>

namespace tasuki::coll {
namespace {

std::string full_name(const AlgorithmDescriptor& algorithm) {
  return fmt::format("{} {}", name_of(algorithm.collective), algorithm.name);
}

void check_known(const AlgorithmDescriptor& algorithm, const Parameters& given) {
  for (const auto& value : given.values()) {
    const auto& declared = algorithm.parameters;
    const bool known = std::any_of(declared.begin(), declared.end(), [&](const auto& parameter) {
      return value.first == parameter.name;
    });
    if (known) continue;
    std::vector<std::string> names;
    for (const auto& parameter : declared) names.emplace_back(parameter.name);
    throw error(full_name(algorithm), fmt::format("it has no parameter '{}'", value.first),
                names.empty() ? "leave it out: this algorithm has no parameters"
                              : fmt::format("its parameters are {}", fmt::join(names, ", ")));
  }
}

/// The complete parameters of a call that the algorithm can do by messages.
Parameters checked(const AlgorithmDescriptor& algorithm, const Shape& shape,
                   const Parameters& given) {
  if (algorithm.medium() != Medium::messages) {
    throw error(full_name(algorithm), "it is not made of messages and has no schedule",
                "choose an algorithm that is carried by messages");
  }
  check(algorithm.collective, shape);
  Parameters parameters = complete(algorithm, given);
  const std::string why_not = not_usable_because(algorithm, shape, parameters);
  if (!why_not.empty()) {
    throw error(full_name(algorithm), why_not, "choose another algorithm for this call");
  }
  return parameters;
}

}  // namespace

Medium AlgorithmDescriptor::medium() const noexcept {
  if (const auto* node = std::get_if<InNodeMemory>(&way)) {
    return node->reads_peers ? Medium::peer_memory : Medium::shared_memory;
  }
  return std::holds_alternative<ByMpiLibrary>(way) ? Medium::mpi_library : Medium::messages;
}

std::string always_applicable(const Shape&, const Parameters&) { return {}; }

std::string not_usable_because(const AlgorithmDescriptor& algorithm, const Shape& shape,
                               const Parameters& parameters) {
  if (shape.reproducible && reduces(algorithm.collective) && algorithm.order != Order::ranks) {
    return "it does not combine in rank order, and the result has to be reproducible";
  }
  return algorithm.not_applicable_because(shape, parameters);
}

Parameters complete(const AlgorithmDescriptor& algorithm, const Parameters& given) {
  check_known(algorithm, given);
  Parameters full;
  for (const ParameterDeclaration& declared : algorithm.parameters) {
    const std::int64_t value =
        given.contains(declared.name) ? given.get(declared.name) : declared.default_value;
    if (value < declared.minimum || value > declared.maximum) {
      throw error(full_name(algorithm), fmt::format("{}={}", declared.name, value),
                  fmt::format("give {} ({}) from {} to {}", declared.name, declared.meaning,
                              declared.minimum, declared.maximum));
    }
    full.set(declared.name, value);
  }
  return full;
}

Schedule make_schedule(const AlgorithmDescriptor& algorithm, const Shape& shape,
                       const Parameters& given) {
  const Parameters parameters = checked(algorithm, shape, given);
  ScheduleBuilder builder;
  if (const auto* way = std::get_if<AfterSizeExchange>(&algorithm.way)) {
    way->write_size_exchange(builder, shape, parameters);
  } else {
    std::get<BySchedule>(algorithm.way).write(builder, shape, parameters);
  }
  return builder.finish();
}

std::size_t exchanged_sizes_count(const AlgorithmDescriptor& algorithm, const Shape& shape,
                                  const Parameters& given) {
  const Parameters parameters = complete(algorithm, given);
  return std::get<AfterSizeExchange>(algorithm.way).sizes_count(shape, parameters);
}

Schedule make_schedule_after(const AlgorithmDescriptor& algorithm, const Shape& shape,
                             std::span<const std::size_t> sizes, const Parameters& given) {
  const Parameters parameters = checked(algorithm, shape, given);
  ScheduleBuilder builder;
  std::get<AfterSizeExchange>(algorithm.way).write(builder, shape, parameters, sizes);
  return builder.finish();
}

}  // namespace tasuki::coll
