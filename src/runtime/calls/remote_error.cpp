#include <cxxabi.h>
#include <fmt/format.h>

#include <any>
#include <array>
#include <functional>
#include <new>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <tasuki/detail/runtime/calls/code_address.hpp>
#include <tasuki/remote_error.hpp>
#include <typeinfo>
#include <utility>
#include <variant>

namespace tasuki::runtime {

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
  bad_array_new_length,
  bad_cast,
  bad_any_cast,
  bad_typeid,
  bad_optional_access,
  bad_variant_access,
  bad_function_call,
  generic_system_error,
  system_error,
};

namespace {

using Kind = Failure::Kind;

/// The message goes on with a full stop of its own.
std::string without_full_stop(std::string text) {
  if (text.ends_with('.')) text.pop_back();
  return text;
}

template <class Exception>
std::exception_ptr with_text(const Failure& failure) {
  return std::make_exception_ptr(Exception(failure.text));
}
/// For types that have no text of their own to set.
template <class Exception>
std::exception_ptr plain(const Failure&) {
  return std::make_exception_ptr(Exception());
}
std::exception_ptr system_failure(const Failure& failure) {
  const std::error_category& category =
      failure.kind == Kind::generic_system_error ? std::generic_category() : std::system_category();
  return std::make_exception_ptr(std::system_error(failure.code, category, failure.text));
}

/// The standard exceptions that come back as themselves.
struct StandardKind {
  const std::type_info* type;
  Kind kind;
  std::exception_ptr (*rebuild)(const Failure& failure);
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
    StandardKind{&typeid(std::bad_alloc), Kind::bad_alloc, plain<std::bad_alloc>},
    StandardKind{&typeid(std::bad_array_new_length), Kind::bad_array_new_length,
                 plain<std::bad_array_new_length>},
    StandardKind{&typeid(std::bad_cast), Kind::bad_cast, plain<std::bad_cast>},
    StandardKind{&typeid(std::bad_any_cast), Kind::bad_any_cast, plain<std::bad_any_cast>},
    StandardKind{&typeid(std::bad_typeid), Kind::bad_typeid, plain<std::bad_typeid>},
    StandardKind{&typeid(std::bad_optional_access), Kind::bad_optional_access,
                 plain<std::bad_optional_access>},
    StandardKind{&typeid(std::bad_variant_access), Kind::bad_variant_access,
                 plain<std::bad_variant_access>},
    StandardKind{&typeid(std::bad_function_call), Kind::bad_function_call,
                 plain<std::bad_function_call>},
    StandardKind{nullptr, Kind::generic_system_error, system_failure},
    StandardKind{nullptr, Kind::system_error, system_failure},
};

/// A std::system_error of the two categories that are the same on all ranks. Its text ends with
/// the text of its code, which the rebuilt one adds again.
bool describe_system_error(const std::exception& e, Failure& failure) {
  if (typeid(e) != typeid(std::system_error)) return false;
  const std::error_code& code = static_cast<const std::system_error&>(e).code();
  const bool is_generic = code.category() == std::generic_category();
  if (!is_generic && code.category() != std::system_category()) return false;
  failure.kind = is_generic ? Kind::generic_system_error : Kind::system_error;
  failure.code = code.value();
  const std::string ending = ": " + code.message();
  if (failure.text.ends_with(ending)) {
    failure.text.resize(failure.text.size() - ending.size());
  } else {
    failure.text.clear();
  }
  return true;
}

}  // namespace

Failure describe_current_exception(std::string function) {
  Failure failure{Kind::other, 0, base::rank_for_messages(), std::move(function), ""};
  try {
    throw;
  } catch (const remote_error& e) {
    failure.rank = e.remote_rank();
    failure.function = e.function();
    failure.text = e.text();
  } catch (const std::exception& e) {
    failure.text = e.what();
    if (describe_system_error(e, failure)) return failure;
    for (const StandardKind& standard : standard_kinds) {
      if (standard.type == nullptr || typeid(e) != *standard.type) continue;
      failure.kind = standard.kind;
      return failure;
    }
    failure.text = fmt::format("{}: {}", demangled(typeid(e).name()), e.what());
  } catch (...) {
    const std::type_info* type = abi::__cxa_current_exception_type();
    failure.text = fmt::format("an exception of type {}",
                               type == nullptr ? std::string("unknown") : demangled(type->name()));
  }
  return failure;
}

std::exception_ptr rebuild(const Failure& failure) {
  for (const StandardKind& standard : standard_kinds) {
    if (failure.kind == standard.kind) return standard.rebuild(failure);
  }
  return std::make_exception_ptr(remote_error(failure.rank, failure.function, failure.text));
}

}  // namespace tasuki::runtime

namespace tasuki {

remote_error::remote_error(int remote_rank, std::string function, std::string text)
    : error(fmt::format("remote call of {} on rank {}", function, remote_rank),
            runtime::without_full_stop(text),
            "check what that function does on that rank; it threw this exception"),
      remote_rank_(remote_rank),
      function_(std::move(function)),
      text_(std::move(text)) {}

}  // namespace tasuki
