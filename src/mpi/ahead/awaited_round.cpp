#include "mpi/ahead/awaited_round.hpp"

namespace tasuki::mpi::ahead {

std::size_t AwaitedRound::expect(int source, std::span<const std::byte> into) {
  if (open_count_ == 0) {
    expected_count_ = 0;
    predictions_.begin();
  }
  const predict::Receive receive{
      .arguments = {.source = source,
                    .communicator = communicator_,
                    .kind = predict::kind_in_collective,
                    .message_bytes = static_cast<std::int64_t>(into.size())},
      .given = predict::FieldSet::all()};
  predictions_.expect(receive, into.data());
  ++open_count_;
  return expected_count_++;
}

void AwaitedRound::arrived(std::size_t number) noexcept {
  predictions_.arrived(number, predictions_.receive(number).arguments);
  --open_count_;
}

}  // namespace tasuki::mpi::ahead
