// MPC++ level 0: the names of the Multi-Thread Template Library, so that its programs compile and
// run as they were printed (Ishikawa 1996; Sakae, Ishikawa, Matsuoka, Takahashi 2000).
//
// Include it alone and define `mpc_main`, which runs on node 0 while the other nodes serve; link
// tasuki::mpcxx, which brings `main`. Everything here is a thin name for something in tasuki.hpp;
// use that in new programs.
//
// Thread-safety: as in tasuki.hpp, one thread per node. One process is one node: under the loopback
// transport the nodes would share myNode and its kin, so these programs do not run there.
#pragma once

#include <tasuki/detail/base/clock.hpp>
#include <tasuki/tasuki.hpp>
#include <type_traits>
#include <utility>

// NOLINTBEGIN(readability-identifier-naming): the names are the paper's.
extern int myNode;   ///< This node's number.
extern int numNode;  ///< Nodes in all.
extern int myPE;     ///< The same: a node has one processing element.
extern int numPE;

/// The program, which runs on node 0. Example: tests/mpcxx/invoke_listing.cpp
int mpc_main(int argc, char** argv);
/// Ends the program on all nodes. Example: tests/mpcxx/names.cpp
[[noreturn]] void mpc_exit(int exit_code);

// The classes hold Tasuki's and do not derive from them: derived ones would draw the functions of
// namespace tasuki into every unqualified `invoke`.

/// A FIFO between threads of a node; other nodes write through a GlobalPtr<Sync<T>>.
/// Example: tests/mpcxx/names.cpp
template <class T>
class Sync {
 public:
  void write(T value) { values_.write(std::move(value)); }
  T read() { return values_.read(); }
  void read(T& value) { value = values_.read(); }
  T peek() { return values_.peek(); }
  void peek(T& value) { value = values_.peek(); }
  int queueLength() const noexcept { return static_cast<int>(values_.size()); }

 private:
  tasuki::Sync<T> values_;
};

/// A pointer to an object of some node. Example: tests/mpcxx/names.cpp
template <class T>
class GlobalPtr {
 public:
  GlobalPtr() = default;
  GlobalPtr(T* local) : pointer_(tasuki::rank(), local) {}
  GlobalPtr(T* address, int node) : pointer_(node, address) {}

  void set(T* address, int node) { pointer_ = {node, address}; }
  int getPe() const noexcept { return pointer_.rank(); }
  T* getLaddr() const noexcept { return pointer_.raw(); }
  const tasuki::GlobalPtr<T>& pointer() const noexcept { return pointer_; }

  T read() const { return pointer_.read(); }
  void write(const T& value) const { pointer_.write(value); }
  void nread(T* into, std::size_t count) const { pointer_.nread(into, count); }
  /// Returns when `from` may be reused; visible there after the next barrier.
  void nwrite(const T* from, std::size_t count) const { pointer_.nwrite(from, count); }
  auto operator*() const { return *pointer_; }
  auto operator[](std::ptrdiff_t index) const { return pointer_[index]; }
  GlobalPtr operator+(std::ptrdiff_t count) const { return {getLaddr() + count, getPe()}; }
  GlobalPtr operator-(std::ptrdiff_t count) const { return {getLaddr() - count, getPe()}; }
  GlobalPtr& operator++() { return *this = *this + 1; }
  GlobalPtr& operator--() { return *this = *this - 1; }

 private:
  tasuki::GlobalPtr<T> pointer_;
};

/// A pointer to a Sync: its operations run on its own node. Example: tests/mpcxx/names.cpp
template <class T>
class GlobalPtr<Sync<T>> {
 public:
  GlobalPtr() = default;
  GlobalPtr(Sync<T>* local) : GlobalPtr(local, tasuki::rank()) {}
  GlobalPtr(Sync<T>* address, int node) : node_(node), address_(tasuki::as_address(address)) {}

  int getPe() const noexcept { return node_; }
  Sync<T>* getLaddr() const noexcept { return address_.pointer; }
  void write(T value) const {
    tasuki::post(
        node_, [](tasuki::Address<Sync<T>> sync, T item) { sync.pointer->write(std::move(item)); },
        address_, std::move(value));
  }
  T read() const {
    return tasuki::invoke(
        node_, [](tasuki::Address<Sync<T>> sync) { return sync.pointer->read(); }, address_);
  }

 private:
  int node_ = -1;
  tasuki::Address<Sync<T>> address_;
};

/// What can be called on another node.
template <class F, class... Args>
concept MpcFunction = requires {
  typename std::invoke_result_t<std::decay_t<F>&, std::decay_t<Args>...>;
};

/// `result = f(args...)` on `node`; waits. Example: tests/mpcxx/invoke_listing.cpp
template <class Result, class F, class... Args>
requires MpcFunction<F, Args...>
void invoke(Result& result, int node, F f, Args&&... args) {
  result = tasuki::invoke(node, f, std::forward<Args>(args)...);
}
/// `f(args...)` on `node`; waits.
template <class F, class... Args>
requires MpcFunction<F, Args...>
void invoke(int node, F f, Args&&... args) {
  (void)tasuki::ainvoke(node, f, std::forward<Args>(args)...).get();
}
/// `result = object->method(args...)`, on the object's node; waits.
template <class Result, class T, class Method, class... Args>
requires std::is_member_function_pointer_v<Method>
void invoke(Result& result, const GlobalPtr<T>& object, Method method, Args&&... args) {
  result = tasuki::ainvoke(object.pointer(), method, std::forward<Args>(args)...).get();
}
template <class T, class Method, class... Args>
requires std::is_member_function_pointer_v<Method>
void invoke(const GlobalPtr<T>& object, Method method, Args&&... args) {
  (void)tasuki::ainvoke(object.pointer(), method, std::forward<Args>(args)...).get();
}

/// `f(args...)` on `node`; does not wait. Example: tests/mpcxx/names.cpp
template <class F, class... Args>
requires MpcFunction<F, Args...>
void ainvoke(int node, F f, Args&&... args) { tasuki::post(node, f, std::forward<Args>(args)...); }
/// The same; the result is written to `result`, which must outlive the call. An exception thrown
/// there is reported and ends the job, as if the call were one-way.
template <class T, class F, class... Args>
requires MpcFunction<F, Args...>
void ainvoke(Sync<T>& result, int node, F f, Args&&... args) {
  tasuki::runtime::hand_on(tasuki::ainvoke(node, f, std::forward<Args>(args)...),
                           [&result](T value) { result.write(std::move(value)); });
}
template <class T, class Method, class... Args>
requires std::is_member_function_pointer_v<Method>
void ainvoke(const GlobalPtr<T>& object, Method method, Args&&... args) {
  tasuki::post(object.pointer(), method, std::forward<Args>(args)...);
}

/// Lets other threads of this node run. Example: tests/mpcxx/names.cpp
inline void yield() { tasuki::yield(); }

/// All nodes wait for each other; remote writes made before are visible after.
/// Example: tests/mpcxx/names.cpp
class Barrier {
 public:
  void exec() const { tasuki::barrier(); }
};

/// Combines one value of every node with `op` and gives the result to all.
/// Example: tests/mpcxx/names.cpp
template <class T>
class Reduction {
 public:
  using Op = T (*)(T, T);
  explicit Reduction(Op op) : op_(op) {}
  T exec(T value) const {
    return tasuki::allreduce(value, [op = op_](const T& a, const T& b) { return op(a, b); });
  }

 private:
  Op op_;
};

/// A stop watch. Example: tests/mpcxx/names.cpp
class Timer {
 public:
  void start() { started_ns_ = tasuki::base::now_ns(); }
  void stop() { elapsed_ns_ += tasuki::base::now_ns() - started_ns_; }
  void reset() { elapsed_ns_ = 0; }
  double seconds() const { return static_cast<double>(elapsed_ns_) * 1e-9; }

 private:
  std::int64_t started_ns_ = 0;
  std::int64_t elapsed_ns_ = 0;
};

/// Ready to use; a program that defines its own of these names gets its own.
extern Barrier barrier;
extern Timer timer;
// NOLINTEND(readability-identifier-naming)
