#include <cxxabi.h>
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <new>
#include <stdexcept>
#include <tasuki/runtime/remote_error.hpp>
#include <typeinfo>
#include <utility>

namespace tasuki {

remote_error::remote_error(int remote_rank, std::string function, std::string text)
    : error(fmt::format("remote call of {} on rank {}", function, remote_rank), text,
            "look at what that function does on that rank; it threw this exception"),
      remote_rank_(remote_rank),
      function_(std::move(function)),
      text_(std::move(text)) {}

namespace runtime {

enum class Failure::Kind : std::uint8_t {
  other,
  runtime_error,
  range_error,
  overflow_error,
  underflow_error,
  logic_error,
  invalid_argument,
  domain_error,
  length_error,
  out_of_range,
  bad_alloc,
};

namespace {

using Kind = Failure::Kind;

template <class Exception>
std::exception_ptr with_text(const std::string& text) {
  return std::make_exception_ptr(Exception(text));
}

/// The standard exceptions that come back as themselves.
struct StandardKind {
  const std::type_info* type;
  Kind kind;
  std::exception_ptr (*rebuild)(const std::string& text);
};

const std::array standard_kinds = {
    StandardKind{&typeid(std::runtime_error), Kind::runtime_error, with_text<std::runtime_error>},
    StandardKind{&typeid(std::range_error), Kind::range_error, with_text<std::range_error>},
    StandardKind{&typeid(std::overflow_error), Kind::overflow_error,
                 with_text<std::overflow_error>},
    StandardKind{&typeid(std::underflow_error), Kind::underflow_error,
                 with_text<std::underflow_error>},
    StandardKind{&typeid(std::logic_error), Kind::logic_error, with_text<std::logic_error>},
    StandardKind{&typeid(std::invalid_argument), Kind::invalid_argument,
                 with_text<std::invalid_argument>},
    StandardKind{&typeid(std::domain_error), Kind::domain_error, with_text<std::domain_error>},
    StandardKind{&typeid(std::length_error), Kind::length_error, with_text<std::length_error>},
    StandardKind{&typeid(std::out_of_range), Kind::out_of_range, with_text<std::out_of_range>},
    StandardKind{&typeid(std::bad_alloc), Kind::bad_alloc,
                 [](const std::string&) { return std::make_exception_ptr(std::bad_alloc()); }},
};

std::string type_name(const std::type_info& type) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? name.get() : type.name();
}

}  // namespace

Failure describe_current_exception(std::string function) {
  try {
    throw;
  } catch (const remote_error& e) {
    return {Kind::other, e.function(), e.text()};
  } catch (const std::exception& e) {
    for (const StandardKind& standard : standard_kinds) {
      if (typeid(e) == *standard.type) return {standard.kind, std::move(function), e.what()};
    }
    return {Kind::other, std::move(function),
            fmt::format("{}: {}", type_name(typeid(e)), e.what())};
  } catch (...) {
    const std::type_info* type = abi::__cxa_current_exception_type();
    return {Kind::other, std::move(function),
            fmt::format("an exception of type {}",
                        type == nullptr ? std::string("unknown") : type_name(*type))};
  }
}

std::exception_ptr rebuild(const Failure& failure, int remote_rank) {
  for (const StandardKind& standard : standard_kinds) {
    if (failure.kind == standard.kind) return standard.rebuild(failure.text);
  }
  return std::make_exception_ptr(remote_error(remote_rank, failure.function, failure.text));
}

}  // namespace runtime
}  // namespace tasuki
