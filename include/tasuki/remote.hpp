// Calling the routines of a Tasuki server from C++: tasuki::rpc::call("linpack/solve", n, a, b, x).
//
// For programs that start no ranks: they link tasuki_client alone, which needs neither MPI nor any
// part of the server. Arguments are those of the interface, in its order, but for work space.
// Scalars are converted to what the interface says. Arrays are vectors, spans, C arrays or any
// other contiguous range; their elements are in C's order, and the interface tells their extents.
// Their blocks go straight to the ranks that need them, and results come straight back into them.
//
// Thread-safety: `call` may be used by any thread, as each has a connection of its own; a Server by
// one thread at a time.
#pragma once

#include <tasuki/client.h>

#include <array>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <ranges>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace tasuki::rpc {

/// What happened to a call, and the remedy. Example: examples/remote.cpp
class call_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

namespace detail {

template <class Type>
inline constexpr bool is_complex = false;
template <class Real>
inline constexpr bool is_complex<std::complex<Real>> = true;

/// A number as interfaces have them.
template <class Type>
concept Number =
    (std::integral<Type> && !std::same_as<Type, bool> && sizeof(Type) <= 8) ||
    std::same_as<Type, float> || std::same_as<Type, double> ||
    std::same_as<Type, std::complex<float>> || std::same_as<Type, std::complex<double>>;

template <class Range>
using Element = std::remove_all_extents_t<
    std::remove_pointer_t<decltype(std::ranges::data(std::declval<Range&>()))>>;

template <class Type>
concept Array = std::ranges::contiguous_range<Type> && Number<std::remove_const_t<Element<Type>>>;

template <class Type>
concept Argument = Number<std::remove_cvref_t<Type>> || Array<std::remove_reference_t<Type>>;

template <class Type>
inline constexpr std::size_t numbers_in = 1;
template <class Type, std::size_t count>
inline constexpr std::size_t numbers_in<Type[count]> = count* numbers_in<Type>;

/// As the C interface names it.
template <Number Type>
constexpr const char* type_name() {
  if constexpr (is_complex<Type>) return sizeof(Type) == 8 ? "complex64" : "complex128";
  if constexpr (std::floating_point<Type>) return sizeof(Type) == 4 ? "float32" : "float64";
  constexpr std::array<const char*, 9> integers = {"", "int8", "int16", "",     "int32",
                                                   "", "",     "",      "int64"};
  constexpr std::array<const char*, 9> naturals = {"", "uint8", "uint16", "",      "uint32",
                                                   "", "",      "",       "uint64"};
  return std::unsigned_integral<Type> ? naturals[sizeof(Type)] : integers[sizeof(Type)];
}

/// One entry of the C interface, which points at the caller's memory and at `count`.
class Reference {
 public:
  template <class Type>
  Reference(Type&& value, bool is_temporary) {
    using Value = std::remove_reference_t<Type>;
    if constexpr (Number<std::remove_cv_t<Value>>) {
      set(&value, 1, is_temporary);
    } else {
      using ElementPointer = Element<Value>*;
      set(reinterpret_cast<ElementPointer>(std::ranges::data(value)),
          std::ranges::size(value) * numbers_in<std::ranges::range_value_t<Value>>,
          is_temporary && !std::ranges::borrowed_range<Value>);
    }
  }

  tasuki_argument in_c() const {
    tasuki_argument argument{};
    argument.memory = memory_;
    argument.type = type_;
    argument.extents = &count_;
    argument.dimensions = 1;
    argument.is_read_only = is_read_only_ ? 1 : 0;
    return argument;
  }

 private:
  template <class Type>
  void set(Type* memory, std::size_t count, bool is_read_only) {
    memory_ = const_cast<std::remove_const_t<Type>*>(memory);
    type_ = type_name<std::remove_const_t<Type>>();
    count_ = static_cast<std::int64_t>(count);
    is_read_only_ = is_read_only || std::is_const_v<Type>;
  }

  void* memory_ = nullptr;
  const char* type_ = nullptr;
  std::int64_t count_ = 0;
  bool is_read_only_ = false;
};

}  // namespace detail

namespace detail {

/// The arguments of a call as the C interface takes them. Requires: the arguments outlive it.
template <Argument... Arguments>
class InC {
 public:
  explicit InC(Arguments&&... arguments)
      : references_{Reference(arguments, !std::is_lvalue_reference_v<Arguments>)...} {
    for (std::size_t i = 0; i < in_c_.size(); ++i) in_c_[i] = references_[i].in_c();
  }
  const tasuki_argument* data() const { return in_c_.data(); }
  std::size_t size() const { return in_c_.size(); }

 private:
  std::array<Reference, sizeof...(Arguments)> references_;
  std::array<tasuki_argument, sizeof...(Arguments)> in_c_{};
};

}  // namespace detail

/// A server, and this client's connections to it. Example: examples/remote.cpp
class Server {
 public:
  /// The server that the setting TASUKI_SERVER names. Throws call_error if it does not answer.
  Server() : Server(nullptr) {}
  /// The server at tasuki://HOST:PORT. Throws call_error if it does not answer.
  explicit Server(const std::string& url) : Server(url.c_str()) {}

  /// Calls "module/routine", or "routine" if one module alone has it, and returns when its results
  /// are in their arrays. Returns: the report of the call, as JSON. Throws call_error that names
  /// the argument at fault, or says what happened on the server.
  template <detail::Argument... Arguments>
  std::string call(const std::string& routine, Arguments&&... arguments) {
    const detail::InC<Arguments...> in_c(std::forward<Arguments>(arguments)...);
    const char* const report =
        tasuki_client_call_routine(client_.get(), routine.c_str(), in_c.data(), in_c.size());
    if (report == nullptr) throw call_error(tasuki_client_error_text());
    return report;
  }

  /// False once the server has ended the connection: then make a new one.
  bool is_connected() const { return tasuki_client_is_connected(client_.get()) != 0; }
  /// For what else the C interface has.
  tasuki_client* in_c() const { return client_.get(); }

 private:
  explicit Server(const char* url) : client_(tasuki_client_open(url), tasuki_client_close) {
    if (client_ == nullptr) throw call_error(tasuki_client_error_text());
  }

  std::unique_ptr<tasuki_client, void (*)(tasuki_client*)> client_;
};

/// An object of a class, which lives on the server's ranks with a state of its own, until this is
/// destroyed. Example: examples/object.cpp
class Object {
 public:
  /// Makes one of "module/Class", or "Class" if one module alone has it. Requires: `server`
  /// outlives it. Throws call_error if there is no such class, or no room.
  Object(Server& server, const std::string& class_name) : client_(server.in_c()) {
    const char* const name = tasuki_client_make(client_, class_name.c_str());
    if (name == nullptr) throw call_error(tasuki_client_error_text());
    name_ = name;
  }
  /// What fails then has no consequence for the client.
  ~Object() { tasuki_client_free_object(client_, name_.c_str()); }
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  /// Calls a method, like Server::call. Throws call_error also if the object is lost, as the
  /// server's ranks were started anew.
  template <detail::Argument... Arguments>
  std::string call(const std::string& method, Arguments&&... arguments) {
    const detail::InC<Arguments...> in_c(std::forward<Arguments>(arguments)...);
    const char* const report =
        tasuki_client_call_method(client_, name_.c_str(), method.c_str(), in_c.data(), in_c.size());
    if (report == nullptr) throw call_error(tasuki_client_error_text());
    return report;
  }

 private:
  tasuki_client* client_;
  std::string name_;
};

namespace detail {

/// The server of the setting TASUKI_SERVER, by the thread's own connection.
inline Server& usual_server() {
  thread_local std::unique_ptr<Server> server;
  if (server == nullptr || !server->is_connected()) server = std::make_unique<Server>();
  return *server;
}

}  // namespace detail

/// Server::call on the server that the setting TASUKI_SERVER names, over a connection that the
/// thread keeps from call to call. Example: examples/remote.cpp
template <detail::Argument... Arguments>
std::string call(const std::string& routine, Arguments&&... arguments) {
  return detail::usual_server().call(routine, std::forward<Arguments>(arguments)...);
}

}  // namespace tasuki::rpc
