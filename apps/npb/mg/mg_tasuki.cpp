// NPB MG over Tasuki: beside mg_mpi.cpp, with the same numerical code.
//
// Every rank runs main; faces travel as remote writes into the neighbours' inboxes.

#include <algorithm>
#include <array>
#include <memory>

#include "npb/common/inbox.hpp"
#include "npb/common/tasuki_sums.hpp"
#include "npb/mg/node.hpp"

namespace tasuki::npb::mg {
namespace {

class TasukiExchange : public TasukiSums {
 public:
  TasukiExchange(const Layout& layout, bool split)
      : TasukiSums(split), layout_(layout), most_points_(most_face_points(layout)) {
    for (const Side side : both_sides)
      outboxes_[side].resize(*std::max_element(most_points_.begin(), most_points_.end()));
    for (const Axis axis : all_axes) {
      if (layout.ranks_along(axis) == 1) continue;
      std::array<Places<Mailbox>, side_count> mine;
      for (const Side side : both_sides)
        for (std::size_t place = 0; place < place_count; ++place) {
          auto& inbox = inboxes_[axis][side][place];
          inbox = std::make_unique<Inbox>(most_points_[axis]);
          mine[side][place] = inbox->mailbox();
        }
      const auto mailboxes = allgather(mine);
      for (const Side side : both_sides) {
        const auto neighbour = static_cast<std::size_t>(layout.neighbour(axis, side));
        mailboxes_[axis][side] = mailboxes[neighbour][opposite(side)];
      }
    }
  }

  std::span<double> outbox(Side side) { return outboxes_[side]; }
  std::span<const double> inbox(Side side) { return inboxes_[axis_][side][place_]->values(); }

  void swap(Axis axis, std::size_t count) {
    const Stopwatch::Communication clocked(stopwatch());
    axis_ = axis;
    place_ = swaps_[axis]++ % place_count;
    for (const Side side : {upper, lower}) {
      stopwatch().count(1, count * sizeof(double));
      mailboxes_[axis][side][place_].write(std::span(outboxes_[side]).first(count));
    }
    for (const Side side : both_sides) inboxes_[axis][side][place_]->wait();
  }

  std::vector<double> gather(std::span<const double> mine) {
    const Stopwatch::Communication clocked(stopwatch());
    stopwatch().count(1, mine.size_bytes());
    std::vector<double> all(mine.size() * static_cast<std::size_t>(layout_.ranks()));
    allgather(mine, std::span(all));
    return all;
  }

 private:
  /// A face comes to two places in turn: the neighbour writes again into one only after it got this
  /// rank's face of the swap between, which this rank sent when it had read the place.
  static constexpr std::size_t place_count = 2;
  template <class T>
  using Places = std::array<T, place_count>;
  template <class T>
  using PerFace = std::array<std::array<Places<T>, side_count>, axis_count>;

  Layout layout_;
  std::array<std::size_t, axis_count> most_points_;
  std::array<HugeArray<double>, side_count> outboxes_;
  PerFace<std::unique_ptr<Inbox>> inboxes_;  ///< Along divided axes.
  PerFace<Mailbox> mailboxes_;               ///< The neighbours', for this rank.
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
