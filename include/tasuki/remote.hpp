// Calling the routines of a Tasuki server from C++: tasuki::rpc::call("linpack/solve", n, a, b, x).
//
// For programs that start no ranks: they link tasuki_client alone, which needs neither MPI nor any
// part of the server. Arguments are those of the interface, in its order, but for work space.
// Scalars are converted to what the interface says. Arrays are vectors, spans, C arrays or any
// other contiguous range, whose elements are in C's order and whose extents the interface tells; or
// they are like std::mdspan, of any strides. Their blocks go straight to the ranks that need them,
// and results come straight back into them. Arrays that are only written may all be left out: then
// the call returns them.
//
// Thread-safety: `call` and `call_async` may be used by any thread, as each call under way has a
// connection of its own; a Server by one thread at a time.
#pragma once

#include <tasuki/client.h>

#include <array>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <future>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tasuki::rpc {

/// What happened to a call, and the remedy. Example: examples/remote.cpp
class call_error : public std::runtime_error {
 public:
  explicit call_error(const std::string& text, bool may_have_run = false,
                      const std::string& kind = "call")
      : std::runtime_error(text), may_have_run_(may_have_run), kind_(kind) {}
  /// False if the call has surely not run, as no rank has begun it. Example: examples/servers.cpp
  bool may_have_run() const noexcept { return may_have_run_; }
  /// What kind of error it is, as tasuki_client_error() tells: "lost-array", "quota", "access" and
  /// others, else "call". Example: examples/servers.cpp
  const char* kind() const noexcept { return kind_.what(); }

 private:
  bool may_have_run_;
  std::runtime_error kind_;  ///< Is copied without an exception, as no std::string is.
};

class RemoteArray;

namespace detail {

/// That of this thread, as the C interface tells it.
inline call_error last_error() {
  return call_error(tasuki_client_error_text(), tasuki_client_may_have_run() != 0,
                    tasuki_client_error_kind());
}

/// The text as JSON has it.
inline std::string in_json(std::string_view text) {
  std::string made = "\"";
  for (const char one : text) {
    if (one >= 0 && one < ' ') {
      const std::size_t code = static_cast<unsigned char>(one);
      made += std::string("\\u00") + (code < 16 ? "0" : "1") + "0123456789abcdef"[code % 16];
    } else {
      if (one == '"' || one == '\\') made += '\\';
      made += one;
    }
  }
  return made += '"';
}

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

/// A text, or the name of a file.
template <class Type>
concept Characters = std::same_as<Type, char*> || std::same_as<Type, const char*>;
template <class Type>
concept Texts = std::ranges::contiguous_range<Type> && Characters<std::ranges::range_value_t<Type>>;
/// For a callback: it takes pointers to the arrays.
template <class Type>
concept Function = std::is_function_v<std::remove_pointer_t<Type>>;

/// What std::mdspan and those like it have.
template <class Type>
concept Mdspan = requires(const Type& view) {
  typename Type::element_type;
  { view.data_handle() } -> std::convertible_to<typename Type::element_type*>;
  { Type::rank() } -> std::convertible_to<std::size_t>;
  { view.extent(0) } -> std::convertible_to<std::int64_t>;
  { view.stride(0) } -> std::convertible_to<std::int64_t>;
}
&&Number<std::remove_const_t<typename Type::element_type>>;

template <class Type>
concept Argument = Number<std::remove_cvref_t<Type>> || Mdspan<std::remove_cvref_t<Type>> ||
    Array<std::remove_reference_t<Type>> || Characters<std::remove_cvref_t<Type>> ||
    Texts<std::remove_reference_t<Type>> || Function<std::remove_cvref_t<Type>> ||
    std::same_as<std::remove_cvref_t<Type>, RemoteArray>;

/// Is it still there when the function that it was given to has returned? Numbers are copied.
template <class Type>
concept Lasting = Number<std::remove_cvref_t<Type>> || Mdspan<std::remove_cvref_t<Type>> ||
    Characters<std::remove_cvref_t<Type>> || Function<std::remove_cvref_t<Type>> ||
    std::same_as<Type, RemoteArray&> || std::same_as<Type, const RemoteArray&> ||
    std::ranges::borrowed_range<Type>;

/// Asked before anything else of a call is compiled, so that the compiler's first error is a
/// sentence, and no other follows.
template <class... Arguments>
struct ArgumentCheck {
  static constexpr bool is_allowed = (Argument<Arguments> && ...);
  static_assert(is_allowed,
                "an argument is neither a number nor an array of numbers. Give a std::vector, a "
                "span, a C array, another contiguous range or a std::mdspan.");
};
template <class... Arguments>
struct LastingCheck {
  static constexpr bool is_allowed = (Lasting<Arguments> && ...);
  static_assert(is_allowed,
                "an array is a temporary, which is gone before the call has ended. Give a "
                "variable, or a span of one.");
};

template <class Type>
inline constexpr std::size_t numbers_in = 1;
template <class Type, std::size_t count>
inline constexpr std::size_t numbers_in<Type[count]> = count* numbers_in<Type>;

/// As the C interface names it; nullptr for characters, which may be a text.
template <Number Type>
constexpr const char* type_name() {
  if constexpr (std::same_as<Type, char>) return nullptr;
  if constexpr (is_complex<Type>) return sizeof(Type) == 8 ? "complex64" : "complex128";
  if constexpr (std::floating_point<Type>) return sizeof(Type) == 4 ? "float32" : "float64";
  constexpr std::array<const char*, 9> integers = {"", "int8", "int16", "",     "int32",
                                                   "", "",     "",      "int64"};
  constexpr std::array<const char*, 9> naturals = {"", "uint8", "uint16", "",      "uint32",
                                                   "", "",      "",       "uint64"};
  return std::unsigned_integral<Type> ? naturals[sizeof(Type)] : integers[sizeof(Type)];
}

/// One entry of the C interface, which points at the caller's memory.
class Reference {
 public:
  template <class Type>
  Reference(Type&& value, bool is_temporary) {
    using Value = std::remove_reference_t<Type>;
    if constexpr (Number<std::remove_cv_t<Value>>) {
      set(&value, 1, is_temporary);
    } else if constexpr (Mdspan<std::remove_cv_t<Value>>) {
      typename Value::element_type* const first = value.data_handle();
      set(first, 0, false);
      extents_.clear();
      for (std::size_t i = 0; i < Value::rank(); ++i) {
        extents_.push_back(static_cast<std::int64_t>(value.extent(i)));
        stride_bytes_.push_back(static_cast<std::int64_t>(value.stride(i)) *
                                static_cast<std::int64_t>(sizeof *first));
      }
    } else if constexpr (Characters<std::remove_cv_t<Value>>) {
      memory_ = const_cast<char*>(value);
    } else if constexpr (Function<std::remove_cv_t<Value>>) {
      memory_ = reinterpret_cast<void*>(+value);
      type_ = "function";
    } else if constexpr (std::same_as<std::remove_cv_t<Value>, RemoteArray>) {
      kept_ = value.name().c_str();
    } else if constexpr (Texts<Value>) {
      memory_ = const_cast<void*>(static_cast<const void*>(std::ranges::data(value)));
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
    if (!extents_.empty()) argument.extents = extents_.data();
    argument.dimensions = extents_.size();
    argument.stride_bytes = stride_bytes_.empty() ? nullptr : stride_bytes_.data();
    argument.is_read_only = is_read_only_ ? 1 : 0;
    argument.kept = kept_;
    return argument;
  }

 private:
  template <class Type>
  void set(Type* memory, std::size_t count, bool is_read_only) {
    memory_ = const_cast<std::remove_const_t<Type>*>(memory);
    type_ = type_name<std::remove_const_t<Type>>();
    extents_ = {static_cast<std::int64_t>(count)};
    is_read_only_ = is_read_only || std::is_const_v<Type>;
  }

  void* memory_ = nullptr;
  const char* type_ = nullptr;
  const char* kept_ = nullptr;
  std::vector<std::int64_t> extents_ = {};
  std::vector<std::int64_t> stride_bytes_ = {};
  bool is_read_only_ = false;
};

/// The arguments of a call as the C interface takes them. Requires: the arguments outlive it.
template <class... Arguments>
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

/// What a call gives back: its report, and the arrays that were left out of its arguments, in the
/// order of the interface. Example: examples/remote.cpp
class Results {
 public:
  /// As JSON.
  const std::string& report() const { return report_; }
  std::size_t count() const { return arrays_.size(); }
  const std::vector<std::int64_t>& extents(std::size_t index) const {
    return arrays_.at(index).extents;
  }
  /// A copy of the elements. Throws call_error if they are not of this type.
  template <detail::Number Type>
  std::vector<Type> get(std::size_t index) const {
    const Array& array = arrays_.at(index);
    if (array.type != detail::type_name<Type>()) {
      throw call_error("a result is of " + array.type + ", and was taken as " +
                       detail::type_name<Type>());
    }
    std::vector<Type> elements(array.bytes.size() / sizeof(Type));
    if (!elements.empty()) {
      std::memcpy(elements.data(), array.bytes.data(), array.bytes.size());
    }
    return elements;
  }
  /// The first of the results.
  template <detail::Number Type>
  operator std::vector<Type>() const {
    return get<Type>(0);
  }

 private:
  friend class Server;
  struct Array {
    std::string type;
    std::vector<std::int64_t> extents;
    std::vector<std::byte> bytes;
  };

  tasuki_argument add(const tasuki_result& result) {
    Array& array = arrays_.emplace_back();
    array.type = result.type;
    array.extents.assign(result.extents, result.extents + result.dimensions);
    array.bytes.resize(result.bytes);
    tasuki_argument argument{};
    argument.memory = array.bytes.data();
    return argument;
  }

  std::string report_;
  std::vector<Array> arrays_;
};

/// An array that Server::put has left on the ranks of a module, until this is destroyed or the
/// ranks are started anew. Calls of the module take it in place of the array. Requires: the server
/// outlives it. Example: examples/kept.cpp
class RemoteArray {
 public:
  RemoteArray(RemoteArray&& other) noexcept { *this = std::move(other); }
  RemoteArray& operator=(RemoteArray&& other) noexcept {
    std::swap(client_, other.client_);
    std::swap(module_, other.module_);
    std::swap(name_, other.name_);
    return *this;
  }
  /// What fails then has no consequence for the client.
  ~RemoteArray() {
    if (client_ != nullptr) tasuki_client_free(client_, module_.c_str(), name_.c_str());
  }

  /// Does nothing to an array that is not there. Throws call_error if the server cannot be told.
  void free() {
    if (client_ == nullptr) return;
    if (tasuki_client_free(client_, module_.c_str(), name_.c_str()) != 0) {
      throw detail::last_error();
    }
    client_ = nullptr;
  }
  /// By which the ranks know it.
  const std::string& name() const { return name_; }

 private:
  friend class Server;
  RemoteArray(tasuki_client* client, std::string module, std::string name)
      : client_(client), module_(std::move(module)), name_(std::move(name)) {}

  tasuki_client* client_ = nullptr;  ///< nullptr: it has been freed.
  std::string module_;
  std::string name_;
};

/// An array or an object that a program has left on the ranks, as the server tells it.
/// Example: examples/kept.cpp
struct KeptOnRanks {
  std::string name;
  std::string module;
  std::string what;  ///< For which argument it lies there, as in "solve.A"; or its class.
  std::string type;  ///< Of the elements, as NumPy calls it; empty: it is an object.
  std::vector<std::int64_t> extents;
  std::int64_t bytes = 0;  ///< On all ranks together.
  std::string user;        ///< Whose it is; empty where nobody has to say who it is.
  std::string client;      ///< The address of its client's host.
  double age_s = 0;
  double unused_s = 0;  ///< Since the last call that has used it.
  double left_s = 0;    ///< After which it is freed if no call uses it; infinite without a limit.
  bool is_being_freed = false;  ///< When the call under way has ended.
};

/// A server, and this client's connections to it. Example: examples/remote.cpp
class Server {
 public:
  /// The server that the setting TASUKI_SERVER names, or the first of several that answers. Throws
  /// call_error if none does.
  Server() : client_(opened(nullptr)) {}
  /// The server at tasuki://HOST:PORT, or the first of several, with commas in between, that
  /// answers. If it serves no more, calls that have surely not run are made on the next one. Throws
  /// call_error if none answers.
  explicit Server(const std::string& url) : client_(opened(url.c_str())) {}

  /// Calls "module/routine", or "routine" if one module alone has it, and returns when its results
  /// are in their arrays. Arrays that are only written may all be left out: then they are in what
  /// it returns. Throws call_error that names the argument at fault, or says what happened on the
  /// server.
  template <class... Arguments>
  Results call(const std::string& routine, Arguments&&... arguments) {
    if constexpr (detail::ArgumentCheck<Arguments...>::is_allowed) {
      const detail::InC<Arguments...> in_c(std::forward<Arguments>(arguments)...);
      return call_in_c(routine, {in_c.data(), in_c.size()});
    } else {
      return {};
    }
  }

  /// Leaves an array on the ranks, as it lies there for a parameter of a routine, which needs these
  /// sizes. Throws call_error that says what the array must be, or what happened on the server.
  /// Example: examples/kept.cpp
  template <class Array>
  RemoteArray put(const std::string& module, const std::string& routine,
                  const std::string& parameter,
                  std::initializer_list<std::pair<const char*, std::int64_t>> sizes,
                  Array&& array) {
    if constexpr (detail::ArgumentCheck<Array>::is_allowed) {
      return put_in_c(module, routine, parameter, sizes, detail::Reference(array, false));
    } else {
      return {nullptr, "", ""};
    }
  }
  /// What all clients of the same user have left on the ranks, the oldest first. Throws call_error
  /// if the server does not answer. Example: examples/kept.cpp
  std::vector<KeptOnRanks> kept() {
    const tasuki_kept* found = nullptr;
    const int count = tasuki_client_list_kept(client_.get(), &found);
    if (count < 0) throw detail::last_error();
    std::vector<KeptOnRanks> kept;
    for (const tasuki_kept& one : std::span(found, static_cast<std::size_t>(count))) {
      kept.push_back({one.name, one.module, one.what, one.type == nullptr ? "" : one.type,
                      std::vector(one.extents, one.extents + one.dimensions), one.bytes, one.user,
                      one.client, one.age_s, one.unused_s, one.left_s, one.is_being_freed != 0});
    }
    return kept;
  }
  /// Frees one of them after the call under way. Returns: false if it is not there. Throws
  /// call_error if the server does not answer. Example: examples/kept.cpp
  bool discard(const std::string& name) {
    const int is_freed = tasuki_client_discard(client_.get(), name.c_str());
    if (is_freed < 0) throw detail::last_error();
    return is_freed != 0;
  }

  /// By which way calls and arrays reach the ranks, as for tasuki_client_set_mode. Throws
  /// call_error if there is no such way. Example: examples/remote.cpp
  void set_mode(const std::string& mode) {
    if (tasuki_client_set_mode(client_.get(), mode.c_str()) != 0) throw detail::last_error();
  }
  /// In which form numbers travel: "native" or "xdr". Throws call_error if there is no such form.
  /// Example: examples/remote.cpp
  void set_wire_format(const std::string& format) {
    if (tasuki_client_set_wire_format(client_.get(), format.c_str()) != 0) {
      throw detail::last_error();
    }
  }

  /// False once the server has ended the connection: the next call connects anew.
  bool is_connected() const { return tasuki_client_is_connected(client_.get()) != 0; }
  /// The address of the server that it uses. Example: examples/servers.cpp
  std::string url() const { return tasuki_client_server(client_.get()); }
  /// For the library, and for functions of client.h that have no other form here.
  tasuki_client* in_c() const { return client_.get(); }

 private:
  Results call_in_c(const std::string& routine, std::span<const tasuki_argument> given) {
    const tasuki_result* missing = nullptr;
    const int missing_count = tasuki_client_missing_results(client_.get(), routine.c_str(),
                                                            given.data(), given.size(), &missing);
    if (missing_count < 0) throw detail::last_error();
    std::vector<tasuki_argument> all(given.begin(), given.end());
    Results results;
    for (const tasuki_result& one : std::span(missing, static_cast<std::size_t>(missing_count))) {
      all.insert(all.begin() + static_cast<std::ptrdiff_t>(one.position), results.add(one));
    }
    const char* const report =
        tasuki_client_call_routine(client_.get(), routine.c_str(), all.data(), all.size());
    if (report == nullptr) throw detail::last_error();
    results.report_ = report;
    return results;
  }

  RemoteArray put_in_c(const std::string& module, const std::string& routine,
                       const std::string& parameter,
                       std::initializer_list<std::pair<const char*, std::int64_t>> sizes,
                       const detail::Reference& array) {
    std::string scalars;
    for (const auto& [name, size] : sizes) {
      scalars +=
          (scalars.empty() ? "" : ", ") + detail::in_json(name) + ": " + std::to_string(size);
    }
    const tasuki_argument given = array.in_c();
    const char* const name =
        tasuki_client_put_argument(client_.get(), module.c_str(), routine.c_str(),
                                   parameter.c_str(), ("{" + scalars + "}").c_str(), &given);
    if (name == nullptr) throw detail::last_error();
    return {client_.get(), module, name};
  }

  using Client = std::unique_ptr<tasuki_client, void (*)(tasuki_client*)>;

  static Client opened(const char* url) {
    Client made(tasuki_client_open(url), tasuki_client_close);
    if (made == nullptr) throw detail::last_error();
    return made;
  }

  Client client_;
};

/// An object of a class, which lives on the server's ranks with a state of its own, until this is
/// destroyed. Example: examples/object.cpp
class Object {
 public:
  /// Makes one of "module/Class", or "Class" if one module alone has it. Requires: `server`
  /// outlives it. Throws call_error if there is no such class, or no room.
  Object(Server& server, const std::string& class_name) : client_(server.in_c()) {
    const char* const name = tasuki_client_make(client_, class_name.c_str());
    if (name == nullptr) throw detail::last_error();
    name_ = name;
  }
  /// What fails then has no consequence for the client.
  ~Object() { tasuki_client_free_object(client_, name_.c_str()); }
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  /// Calls a method, like Server::call. Throws call_error also if the object is lost, as the
  /// server's ranks were started anew.
  template <class... Arguments>
  std::string call(const std::string& method, Arguments&&... arguments) {
    if constexpr (detail::ArgumentCheck<Arguments...>::is_allowed) {
      const detail::InC<Arguments...> in_c(std::forward<Arguments>(arguments)...);
      const char* const report = tasuki_client_call_method(client_, name_.c_str(), method.c_str(),
                                                           in_c.data(), in_c.size());
      if (report == nullptr) throw detail::last_error();
      return report;
    } else {
      return {};
    }
  }

 private:
  tasuki_client* client_;
  std::string name_;
};

namespace detail {

/// Connections to the servers of the setting TASUKI_SERVER, which calls take turns to use.
class UsualServers {
 public:
  static UsualServers& get() {
    static UsualServers one;
    return one;
  }

  /// What `work` returns for a server that nobody else uses.
  template <class Work>
  auto with_one(Work work) {
    const GiveBack taken{*this, take()};
    return work(*taken.server);
  }

 private:
  struct GiveBack {
    UsualServers& servers;
    std::unique_ptr<Server> server;
    ~GiveBack() {
      if (!server->is_connected()) return;
      const std::lock_guard guard(servers.mutex_);
      servers.idle_.push_back(std::move(server));
    }
  };

  std::unique_ptr<Server> take() {
    std::unique_lock lock(mutex_);
    while (!idle_.empty()) {
      std::unique_ptr<Server> server = std::move(idle_.back());
      idle_.pop_back();
      if (server->is_connected()) return server;
    }
    lock.unlock();
    return std::make_unique<Server>();
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<Server>> idle_;
};

/// What a call that goes on meanwhile keeps of an argument: numbers, spans and what is like them as
/// they are now, else a reference.
template <class Type>
using Kept =
    std::conditional_t<std::is_lvalue_reference_v<Type> && !Number<std::remove_cvref_t<Type>> &&
                           !Mdspan<std::remove_cvref_t<Type>>,
                       Type, std::remove_cvref_t<Type>>;

}  // namespace detail

/// Server::call on the server that the setting TASUKI_SERVER names, over a connection that later
/// calls use, too. Example: examples/remote.cpp
template <class... Arguments>
Results call(const std::string& routine, Arguments&&... arguments) {
  return detail::UsualServers::get().with_one(
      [&](Server& server) { return server.call(routine, std::forward<Arguments>(arguments)...); });
}

/// Begins the same on a thread of its own. The arrays must stay as they are until the result is
/// there, and the future's destructor waits for it. Example: examples/remote.cpp
template <class... Arguments>
std::future<Results> call_async(std::string routine, Arguments&&... arguments) {
  if constexpr (!detail::ArgumentCheck<Arguments...>::is_allowed ||
                !detail::LastingCheck<Arguments...>::is_allowed) {
    return {};
  } else {
    using Arrays = std::tuple<detail::Kept<Arguments>...>;
    return std::async(std::launch::async, [routine = std::move(routine),
                                           kept = Arrays(std::forward<Arguments>(arguments)...)] {
      return std::apply([&](auto&... each) { return call(routine, each...); }, kept);
    });
  }
}

}  // namespace tasuki::rpc
