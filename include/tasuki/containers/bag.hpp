// A bag of work: items that any rank adds and any rank works on, wherever there is time.
//
// `process` takes items out, which may add others, until there are none on any rank. Ranks that
// have nothing to do take half of what another one has. Where items cost very different times, or
// nobody knows how many there will be, all ranks stay busy so.
//
// Operations are named by who takes part: `async_` ones are called by any rank, return at once, and
// run elsewhere; `local_` ones concern what this rank has; all others are collective, and first
// wait for the asynchronous operations that any rank has begun.
//
// Thread-safety: from the rank's own thread only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <iterator>
#include <string>
#include <tasuki/collectives.hpp>
#include <tasuki/detail/containers/exchange.hpp>
#include <tasuki/detail/containers/member.hpp>
#include <tasuki/detail/containers/parts_file.hpp>
#include <tasuki/detail/containers/patience.hpp>
#include <tasuki/detail/containers/victims.hpp>
#include <tasuki/team.hpp>
#include <utility>
#include <vector>

namespace tasuki {

/// Items may be of any type that a call may have as an argument. Example: examples/tree_search.cpp
///     tasuki::Bag<int> numbers;
///     if (tasuki::rank() == 0) numbers.local_insert(100);
///     numbers.async_insert(1);  // on some rank
///     const std::size_t count = numbers.size();
///     int sum = 0;
///     numbers.process([&](int number, tasuki::Bag<int>& bag) {
///       sum += number;
///       if (number > 1) bag.local_insert(number / 2);
///     });
///     const int all = tasuki::allreduce(sum, tasuki::Sum{}, numbers.team());
///     const bool is_done = numbers.local_size() == 0;
template <class Item>
class Bag {
 public:
  using value_type = Item;
  /// For the library: what errors call it.
  static constexpr const char* kind = "Bag";

  /// Collective over the team. Throws tasuki::error if the team is empty.
  explicit Bag(const Team& team = world_team())
      : victims_(team.rank(), team.size()), next_(team.rank()), member_(kind, this, team) {}

  const Team& team() const noexcept { return member_.team(); }

  /// Puts the item on some rank, in turn.
  void async_insert(const Item& item) {
    next_ = next_ + 1 == member_.ranks() ? 0 : next_ + 1;
    member_.template post<Bag>(
        next_,
        [](Bag& bag, Item&& arrived) {
          bag.items_.push_back(std::move(arrived));
          bag.work_unless_working();
        },
        item);
  }

  /// Puts the item on this rank, from where others may take it. Throws tasuki::error while this
  /// rank iterates.
  void local_insert(Item item) {
    member_.require_no_iteration("local_insert");
    items_.push_back(std::move(item));
  }
  std::size_t local_size() const noexcept { return items_.size(); }

  /// `f(item, bag)` for each item, which is taken out before, the youngest of a rank first, until
  /// there are none left on any rank. `f` may add items by `local_insert`, and may wait. It runs on
  /// fibers with stacks of TASUKI_STACK_BYTES. Collective. If `f` throws, no rank takes out another
  /// item, those that are left stay, and all ranks throw: what `f` has thrown there, on the others
  /// a tasuki::error that names the rank.
  template <class F>
  void process(F f) {
    member_.complete("process");
    const std::function<void(Item)> call = [&](Item item) {
      std::exception_ptr failure;
      try {
        return f(std::move(item), *this);
      } catch (...) {
        failure = std::current_exception();
      }
      stop_all(std::move(failure));
    };
    work_on_ = &call;
    barrier(team());  // Nobody sends work to a rank that does not know yet what to do with it.
    work_unless_working();
    member_.complete("process");
    work_on_ = nullptr;
    thieves_.clear();
    // Nobody asks for the work of the next time before all are here.
    containers::throw_together("Bag::process", std::exchange(failure_, nullptr), team());
  }

  /// `f(item)` for each item on its rank; the items stay.
  ///     tasuki::Bag<int> numbers;
  ///     numbers.async_insert(7);
  ///     numbers.for_all([](const int& number) { std::printf("%d\n", number); });
  template <class F>
  void for_all(F f) {
    member_.iterate_together("for_all", [&] {
      for (Item& item : items_) f(item);
    });
  }
  /// Of all ranks together.
  std::size_t size() {
    member_.complete("size");
    return allreduce(items_.size(), Sum{}, team());
  }
  /// Returns: all items, on all ranks.
  ///     tasuki::Bag<int> numbers;
  ///     numbers.async_insert(7);
  ///     const std::vector<int> all = numbers.gather();
  ///     numbers.clear();
  std::vector<Item> gather() {
    member_.complete("gather");
    return containers::allgather_values(std::vector<Item>(items_.begin(), items_.end()), team());
  }
  void clear() {
    member_.complete("clear");
    items_.clear();
    barrier(team());  // What a rank inserts next must not be lost on one that comes later.
  }
  /// `save` writes all items to one file, each rank its own. `load` replaces all by those of a file
  /// that a bag of the same type has saved, on any number of ranks. Both throw the same
  /// tasuki::error on all ranks if that fails, or it is no such file.
  ///     tasuki::Bag<int> numbers;
  ///     numbers.async_insert(7);
  ///     numbers.save("tasuki-bag");
  ///     numbers.load("tasuki-bag");
  ///     if (tasuki::rank() == 0) std::remove("tasuki-bag");
  void save(const std::string& path) {
    member_.complete("save");
    const auto items = [this] { return std::vector<Item>(items_.begin(), items_.end()); };
    containers::write_values(path, kind, items, team());
  }
  void load(const std::string& path) {
    member_.complete("load");
    std::vector<Item> mine = containers::read_values<Item>(path, kind, team());
    items_.assign(std::make_move_iterator(mine.begin()), std::make_move_iterator(mine.end()));
    barrier(team());
  }

  /// For the library.
  containers::Member& member() noexcept { return member_; }

 private:
  // Lifelines (Saraswat and others 2011): a rank that has asked some others in vain tells a few
  // fixed ones, and rests. Who has work later sends half of it there; the call that brings it is
  // also what works on it. So all work is done when all calls are.

  void work_unless_working() {
    if (work_on_ != nullptr && !is_working_) work();
  }
  /// Works until neither this rank nor those that it asks have anything.
  void work() {
    is_working_ = true;
    do {
      while (work_on_ != nullptr && !items_.empty()) {
        Item item = std::move(items_.back());
        items_.pop_back();
        (*work_on_)(std::move(item));
        if (patience_.is_over()) attend();
      }
    } while (work_on_ != nullptr && steal());
    is_working_ = false;
    if (work_on_ != nullptr) rest();
  }
  /// What work() is doing comes to an end on all ranks.
  void stop_all(std::exception_ptr failure) {
    if (failure_ == nullptr) failure_ = std::move(failure);
    for (int other = 0; other < member_.ranks(); ++other) {
      member_.template post<Bag>(other, [](Bag& bag) { bag.work_on_ = nullptr; });
    }
    work_on_ = nullptr;
  }
  /// Gives work to those that rest, and lets others ask for some.
  void attend() {
    share();
    yield();
    patience_.renew();
  }
  void share() {
    while (!thieves_.empty() && items_.size() > 1) {
      const int thief = thieves_.back();
      thieves_.pop_back();
      send_half(thief);
    }
  }
  void send_half(int thief) {
    member_.template post<Bag>(
        thief, [](Bag& bag, std::vector<Item>&& arrived) { bag.receive(std::move(arrived)); },
        take_half());
  }
  void receive(std::vector<Item> arrived) {
    add(std::move(arrived));
    work_unless_working();
  }
  /// The oldest: in a search of a tree, those with the most below them.
  std::vector<Item> take_half() {
    const auto end = items_.begin() + static_cast<std::ptrdiff_t>(items_.size() / 2);
    std::vector<Item> half(std::make_move_iterator(items_.begin()), std::make_move_iterator(end));
    items_.erase(items_.begin(), end);
    return half;
  }
  void add(std::vector<Item> arrived) {
    items_.insert(items_.begin(), std::make_move_iterator(arrived.begin()),
                  std::make_move_iterator(arrived.end()));
  }
  /// Returns: is there work now?
  bool steal() {
    for (const int victim : victims_.some()) {
      add(member_.template ask<Bag>(victim, [](Bag& bag) { return bag.take_half(); }).get());
      if (!items_.empty()) return true;
    }
    return false;
  }
  void rest() {
    for (const int victim : victims_.lifelines()) {
      member_.template post<Bag>(
          victim,
          [](Bag& bag, int thief) {
            const auto known = std::find(bag.thieves_.begin(), bag.thieves_.end(), thief);
            if (known == bag.thieves_.end()) bag.thieves_.push_back(thief);
            bag.share();
          },
          member_.rank());
    }
  }

  std::deque<Item> items_;                              ///< The youngest at the end.
  const std::function<void(Item)>* work_on_ = nullptr;  ///< None if nobody works.
  std::exception_ptr failure_;                          ///< Of what is done with items.
  containers::Patience patience_;
  containers::Victims victims_;
  std::vector<int> thieves_;  ///< That rest until this rank sends them work.
  bool is_working_ = false;
  int next_;                   ///< Where the last item was inserted.
  containers::Member member_;  ///< The last: once it is there, other ranks call.
};

}  // namespace tasuki
