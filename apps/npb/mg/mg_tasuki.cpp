// NPB MG over Tasuki: beside mg_mpi.cpp, with the same numerical code.
//
// Every rank runs main; faces travel as remote writes into the neighbours' inboxes.

#include <algorithm>
#include <array>
#include <memory>

#include "npb/common/tasuki_sums.hpp"
#include "npb/mg/node.hpp"

namespace tasuki::npb::mg {
namespace {

/// Receives the faces from one neighbour. There are two places, used in turn: the neighbour writes
/// again into one only after it got this rank's face of the swap between, which this rank sent
/// when it had read the place.
class Inbox {
 public:
  /// Where the neighbour writes.
  struct Mailbox {
    GlobalPtr<double> faces;
    GlobalPtr<std::uint64_t> arrivals;
  };

  explicit Inbox(std::size_t most_points) : most_points_(most_points), faces_(2 * most_points) {}

  Mailbox mailbox() const { return {faces_.pointer(), arrivals_.counter()}; }
  void wait() { arrivals_.wait(1); }
  std::span<const double> face(std::size_t place) const {
    return {faces_.data() + place * most_points_, most_points_};
  }

 private:
  std::size_t most_points_;
  SharedArray<double> faces_;
  Arrivals arrivals_;
};

class TasukiExchange : public TasukiSums {
 public:
  TasukiExchange(const Layout& layout, bool split)
      : TasukiSums(split), layout_(layout), most_points_(most_face_points(layout)) {
    for (const Side side : {lower, upper})
      outboxes_[side].resize(*std::max_element(most_points_.begin(), most_points_.end()));
    for (const Axis axis : {x_axis, y_axis, z_axis}) {
      if (layout.ranks_along(axis) == 1) continue;
      std::array<Inbox::Mailbox, side_count> mine;
      for (const Side side : {lower, upper}) {
        inboxes_[axis][side] = std::make_unique<Inbox>(most_points_[axis]);
        mine[side] = inboxes_[axis][side]->mailbox();
      }
      const auto mailboxes = allgather(mine);
      for (const Side side : {lower, upper}) {
        const auto neighbour = static_cast<std::size_t>(layout.neighbour(axis, side));
        mailboxes_[axis][side] = mailboxes[neighbour][side == upper ? lower : upper];
      }
    }
  }

  std::span<double> outbox(Side side) { return outboxes_[side]; }
  std::span<const double> inbox(Side side) { return inboxes_[axis_][side]->face(place_); }

  void swap(Axis axis, std::size_t count) {
    const Stopwatch::Communication clocked(stopwatch());
    axis_ = axis;
    place_ = swaps_[axis]++ % 2;
    for (const Side side : {upper, lower}) {
      const Inbox::Mailbox& to = mailboxes_[axis][side];
      stopwatch().count(1, count * sizeof(double));
      (to.faces + static_cast<std::ptrdiff_t>(place_ * most_points_[axis]))
          .nwrite_signal(outboxes_[side].data(), count, to.arrivals);
    }
    for (const Side side : {lower, upper}) inboxes_[axis][side]->wait();
  }

  std::vector<double> gather(std::span<const double> mine) {
    const Stopwatch::Communication clocked(stopwatch());
    stopwatch().count(1, mine.size_bytes());
    std::vector<double> all(mine.size() * static_cast<std::size_t>(layout_.ranks()));
    allgather(mine, std::span(all));
    return all;
  }

 private:
  template <class T>
  using PerFace = std::array<std::array<T, side_count>, axis_count>;

  Layout layout_;
  std::array<std::size_t, axis_count> most_points_;
  std::array<HugeArray<double>, side_count> outboxes_;
  PerFace<std::unique_ptr<Inbox>> inboxes_;  ///< Along divided axes.
  PerFace<Inbox::Mailbox> mailboxes_;        ///< The neighbours', for this rank.
  std::array<std::size_t, axis_count> swaps_{};
  Axis axis_ = x_axis;     ///< Of the last swap, as is ...
  std::size_t place_ = 0;  ///< ... this.
};

}  // namespace
}  // namespace tasuki::npb::mg

int main(int argc, char** argv) {
  using namespace tasuki::npb;
  return run_on_every_rank(argc, argv, parse_options, mg::run<TasukiJob, mg::TasukiExchange>);
}
