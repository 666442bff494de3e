#include "transport/mpi/endpoint.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace tasuki::transport::mpi {
namespace {

/// What MPI has of bulk data: the pieces that were sent to it, by the words of their requests.
std::vector<std::size_t> piece_bytes;
std::uint64_t pieces_received_count = 0;  ///< So many, the oldest, are received.

int send(void* /*communicator*/, const void* /*data*/, std::size_t bytes, int /*rank*/, int tag,
         Request* request, bool* is_done) {
  *is_done = tag == frame_tag;
  if (*is_done) return 0;
  request->word = piece_bytes.size();
  piece_bytes.push_back(bytes);
  return 0;
}
int receive(void* /*communicator*/, void* /*data*/, std::size_t /*bytes*/, int /*source*/,
            int /*tag*/, Request* request) {
  request->word = ~std::uint64_t{0};
  return 0;
}
int test(Request* request, bool* is_done, Status* /*status*/) {
  *is_done = request->word < pieces_received_count;
  return 0;
}

struct CountedCompletion : Completion {
  int count = 0;
  CountedCompletion() {
    done = [](Completion* completion) { ++static_cast<CountedCompletion*>(completion)->count; };
  }
};

class OutgoingPiecesTest : public testing::Test {
 protected:
  OutgoingPiecesTest() {
    functions_.send = &send;
    functions_.receive = &receive;
    functions_.test = &test;
    functions_.cancel_receive = [](Request* /*request*/) { return 0; };
    job_.size = 2;
    job_.rank = 0;
    job_.tag_most = 32767;
    piece_bytes.clear();
    pieces_received_count = 0;
  }

  void begin(std::size_t bytes) {
    endpoint_ = std::make_unique<Endpoint>(functions_, job_, false, counters_);
    data_.resize(bytes);
    ASSERT_TRUE(endpoint_->lane(1).send_bulk({}, data_, &sent_));
  }
  std::size_t pieces_after(std::uint64_t received_count) {
    pieces_received_count = received_count;
    for (int i = 0; i < 3; ++i) endpoint_->progress();
    return piece_bytes.size();
  }

  Functions functions_{};
  Job job_;
  Counters counters_;
  std::unique_ptr<Endpoint> endpoint_;
  std::vector<std::byte> data_;
  CountedCompletion sent_;
};

// A rank that copies a piece it receives sends none meanwhile, and its receiver has to have one.
TEST_F(OutgoingPiecesTest, OneIsAheadOfThatWhichIsReceived) {
  begin(3 * piece_most_bytes + 5);
  EXPECT_EQ(piece_bytes.size(), 2U);
  EXPECT_EQ(pieces_after(1), 3U);
  EXPECT_EQ(pieces_after(2), 4U);
  EXPECT_EQ(piece_bytes,
            (std::vector<std::size_t>{piece_most_bytes, piece_most_bytes, piece_most_bytes, 5}));
  EXPECT_EQ(pieces_after(3), 4U);
  EXPECT_EQ(sent_.count, 0);
  EXPECT_EQ(pieces_after(4), 4U);
  EXPECT_EQ(sent_.count, 1);
}

// SimGrid matches a message with a receive when it is sent: pieces ahead would hold up others.
TEST_F(OutgoingPiecesTest, NoneIsAheadInSimulation) {
  job_.is_simulated = true;
  begin(2 * piece_most_bytes);
  EXPECT_EQ(piece_bytes, (std::vector<std::size_t>{piece_most_bytes}));
  EXPECT_EQ(pieces_after(1), 2U);
  EXPECT_EQ(sent_.count, 0);
  EXPECT_EQ(pieces_after(2), 2U);
  EXPECT_EQ(sent_.count, 1);
}

}  // namespace
}  // namespace tasuki::transport::mpi
