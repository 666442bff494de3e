// One rank's membership in a container: the team, the objects of the other ranks, and the calls
// from one to the other.
//
// Every container has one as a member. It keeps calls back that arrive while the rank iterates, so
// that an iteration sees what was there when it began. They start in their order when it has ended,
// and one that waits holds up neither the others nor the fiber that has iterated.
//
// Thread-safety: from the rank's own thread only.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <tasuki/call.hpp>
#include <tasuki/detail/containers/object_name.hpp>
#include <tasuki/served_call.hpp>
#include <tasuki/spawn.hpp>
#include <tasuki/team.hpp>
#include <tuple>
#include <typeinfo>
#include <utility>
#include <vector>

namespace tasuki::containers {

class Member;

/// A call that waits until the rank does not iterate any more. Made where it arrives; the poller
/// runs it.
class Deferred : public runtime::Continuation {
 public:
  Deferred() = default;
  virtual ~Deferred() = default;
  void go_on() noexcept {
    call_.go_on([this] { run_operation(); });
  }
  void set_member(Member& member) noexcept { member_ = &member; }
  runtime::FutureCore* run() final;
  void discard() noexcept final {}  // The member has it.

 private:
  virtual void run_operation() = 0;

  ServedCall call_;
  Member* member_ = nullptr;
};

class Member {
 public:
  /// `kind` is what errors call the container. Collective over the team, all of whose ranks know
  /// each other's objects then. Throws tasuki::error if the team is empty.
  Member(const char* kind, void* object, const Team& team);
  ~Member();
  Member(const Member&) = delete;
  Member& operator=(const Member&) = delete;

  const char* kind() const noexcept { return kind_; }
  const Team& team() const noexcept { return team_; }
  int rank() const noexcept { return rank_; }  ///< In the team, as all ranks below.
  int ranks() const noexcept { return static_cast<int>(peers_.size()); }

  /// Throws tasuki::error if `f`, which goes to another rank as a value, captures the address of a
  /// variable on the stack.
  template <class F>
  static void check_captures(const char* operation, const F& f) {
    if (runtime::captures_frame_address(runtime::Rank::current(), f)) [[unlikely]]
      runtime::refuse_captures(operation, runtime::demangled(typeid(F).name()));
  }

  /// Runs `f(container, values...)` on the container's object of a rank; `f` captures nothing.
  template <class Container, class F, class... Values>
  void post(int to, F /*f*/, const Values&... values) {
    const Peer& peer = peers_[static_cast<std::size_t>(to)];
    tasuki::post(peer.world_rank, Operation<Container, F, Values...>{}, peer.name, values...);
  }
  /// The same at once, even if the rank iterates, with a Future of the result.
  template <class Container, class F, class... Values>
  auto ask(int to, F /*f*/, const Values&... values) const {
    const Peer& peer = peers_[static_cast<std::size_t>(to)];
    return tasuki::ainvoke(
        peer.world_rank,
        [](ObjectName name, const Values&... arrived) {
          return F{}(object_named<Container>(name), arrived...);
        },
        peer.name, values...);
  }

  /// Runs `f()` on a fiber of this rank, when its others wait or yield; `complete` waits for it, as
  /// for a call. An error if the container is gone then.
  template <class Container, class F>
  void spawn(F f) {
    static_cast<void>(tasuki::spawn([f, name = name_] {
      object_named<Container>(name);
      f();
    }));
  }

  /// Waits for all calls among the ranks of the team, and for those that these have made.
  /// Collective; `operation` is what an error calls it.
  void complete(const char* operation);

  /// Runs `body`, and then what has arrived meanwhile.
  template <class Body>
  void iterate(Body body) {
    ++iterations_count_;
    try {
      body();
    } catch (...) {
      end_iteration();
      throw;
    }
    end_iteration();
  }
  /// The same on all ranks, after all calls of post are done; no rank runs its body, whose calls
  /// may go anywhere, before all keep calls back. Collective.
  template <class Body>
  void iterate_together(const char* operation, Body body) {
    complete(operation);
    iterate([&] {
      wait_for_all();
      body();
    });
  }
  /// Throws tasuki::error if this rank iterates.
  void require_no_iteration(const char* operation) const;
  /// Throws tasuki::error unless `owner` is this rank.
  void require_own(int owner, const char* operation) const;

 private:
  struct Peer {
    int world_rank = 0;
    ObjectName name;
  };

  template <class Container>
  static Container& object_named(ObjectName name) {
    return *static_cast<Container*>(find_object(name, Container::kind));
  }

  template <class Container, class F, class... Values>
  struct Operation {
    void operator()(ObjectName name, Values... values) const {
      Container& container = object_named<Container>(name);
      Member& member = container.member();
      if (member.iterations_count_ != 0 || !member.deferred_.empty()) [[unlikely]] {
        return member.defer(std::make_unique<DeferredOperation<Container, F, Values...>>(
            name, std::move(values)...));
      }
      F{}(container, std::move(values)...);
    }
  };
  template <class Container, class F, class... Values>
  class DeferredOperation final : public Deferred {
   public:
    DeferredOperation(ObjectName name, Values... values)
        : name_(name), values_(std::move(values)...) {}

   private:
    void run_operation() override {
      Container& container = object_named<Container>(name_);
      std::apply([&](Values&... values) { F{}(container, std::move(values)...); }, values_);
    }

    ObjectName name_;
    std::tuple<Values...> values_;
  };

  void wait_for_all() const;
  /// Counts it as a call of this rank to itself: the call that has brought it is done at once.
  void defer(std::unique_ptr<Deferred> operation);
  void end_iteration() noexcept;
  /// Has the poller run the one that arrived first. Requires: there is one.
  void start_first() noexcept;
  void run_first() noexcept;
  std::unique_ptr<Deferred> take_first() noexcept;
  friend class Deferred;

  const char* kind_;
  Team team_;
  int rank_;
  ObjectName name_;
  std::vector<Peer> peers_;  ///< By rank in the team.
  int iterations_count_ = 0;
  std::deque<std::unique_ptr<Deferred>> deferred_;  ///< In the order in which they arrived.
};

}  // namespace tasuki::containers
