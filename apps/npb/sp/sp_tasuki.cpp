// NPB SP over Tasuki: beside sp_mpi.cpp, with the same numerical code.
//
// Every rank runs main; faces and parts of lines travel as remote writes into the neighbours'
// inboxes. An inbox is free again when the neighbour writes the next time: between two swaps of
// faces, and between two sweeps along an axis, each neighbour waits for what this rank passes on
// after it has read the inbox.

#include <memory>

#include "npb/common/inbox.hpp"
#include "npb/common/tasuki_sums.hpp"
#include "npb/sp/node.hpp"

namespace tasuki::npb::sp {
namespace {

class TasukiExchange : public TasukiSums {
 public:
  TasukiExchange(const Layout& layout, bool split)
      : TasukiSums(split), layout_(layout), last_(layout.cells() - 1) {
    if (last_ == 0) return;
    for (const Side side : both_sides) passing_[side].resize(most_passed_numbers(layout));
    for (const Axis axis : all_axes)
      for (const Side side : both_sides) {
        face_outboxes_[axis][side].resize(most_face_numbers(layout));
        face_mailboxes_[axis][opposite(side)] =
            add_inbox(face_inboxes_[axis][side], axis, side, most_face_numbers(layout));
        for (int stage = 0; stage < last_; ++stage)
          mailboxes_[axis][side].push_back(add_inbox(inboxes_[axis][side].emplace_back(), axis,
                                                     opposite(side), most_passed_numbers(layout)));
      }
  }

  std::span<double> face_outbox(Axis axis, Side side) { return face_outboxes_[axis][side]; }
  std::span<const double> face_inbox(Axis axis, Side side) {
    return face_inboxes_[axis][side]->values();
  }

  void swap_faces(const FaceSizes& sizes) {
    const Stopwatch::Communication clocked(stopwatch());
    for (const Axis axis : all_axes)
      for (const Side side : both_sides) {
        const auto face = std::span(face_outboxes_[axis][side]).first(sizes[axis][side]);
        stopwatch().count(1, face.size_bytes());
        face_mailboxes_[axis][side].write(face);
      }
    for (const Axis axis : all_axes)
      for (const Side side : both_sides) face_inboxes_[axis][side]->wait();
  }

  void begin_sweep(Axis axis) { axis_ = axis; }

  std::span<const double> taken(Side side, int stage) {
    const Stopwatch::Communication clocked(stopwatch());
    Inbox& inbox = *inboxes_[axis_][side][place_of(side, stage)];
    inbox.wait();
    return inbox.values();
  }

  std::span<double> passing(Side side) { return passing_[side]; }

  void pass(Side side, int stage, std::size_t count) {
    const Stopwatch::Communication clocked(stopwatch());
    const auto numbers = std::span(passing_[side]).first(count);
    stopwatch().count(1, numbers.size_bytes());
    mailboxes_[axis_][side][place_of(side, stage)].write(numbers);
  }

 private:
  /// Among the inboxes of what goes to one side. The first stage takes nothing from below, the last
  /// nothing from above.
  static std::size_t place_of(Side side, int stage) {
    return static_cast<std::size_t>(side == upper ? stage - 1 : stage);
  }

  /// Makes the inbox for the neighbour on side `from`. Returns: the mailbox of the neighbour on the
  /// other side, for which this rank is that neighbour. Collective.
  Mailbox add_inbox(std::unique_ptr<Inbox>& inbox, Axis axis, Side from, std::size_t size) {
    inbox = std::make_unique<Inbox>(size);
    const std::vector<Mailbox> mailboxes = allgather(inbox->mailbox());
    return mailboxes[static_cast<std::size_t>(layout_.neighbour(axis, opposite(from)))];
  }

  template <class T>
  using PerFace = std::array<std::array<T, side_count>, axis_count>;

  Layout layout_;
  int last_;  ///< Stage.
  Axis axis_ = x_axis;
  PerFace<HugeArray<double>> face_outboxes_;
  PerFace<std::unique_ptr<Inbox>> face_inboxes_;  ///< By the side where the neighbour is.
  PerFace<Mailbox> face_mailboxes_;               ///< Likewise.
  std::array<HugeArray<double>, side_count> passing_;
  PerFace<std::vector<std::unique_ptr<Inbox>>> inboxes_;  ///< By the side where lines go on.
  PerFace<std::vector<Mailbox>> mailboxes_;               ///< Likewise.
};

}  // namespace
}  // namespace tasuki::npb::sp

int main(int argc, char** argv) {
  using namespace tasuki::npb;
  return run_on_every_rank(argc, argv, parse_options, sp::run<TasukiJob, sp::TasukiExchange>);
}
