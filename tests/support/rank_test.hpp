// The fixture of tests that every rank runs: the same body on loopback, shm and over any MPI.
//
// Write `using NameTest = RankTest;` and `TEST_F(NameTest, sentence)`. All ranks enter the body
// together and leave it together, with no call under way; a fatal failure on any rank ends the
// job. In loopback all ranks share the one fixture object and all static variables, so a fixture
// has no members and a test counts in objects of its own.
//
// Thread-safety: each rank's own thread.
#pragma once

#include <gtest/gtest.h>

#include <tasuki/tasuki.hpp>

namespace tasuki::test {

class RankTest : public testing::Test {
 public:
  void TestBody() override = 0;

 protected:
  void SetUp() override;
  void TearDown() override;
};

/// The ranks before and after this one, in a ring.
inline int next_rank() { return (rank() + 1) % size(); }
inline int previous_rank() { return (rank() + size() - 1) % size(); }

/// Is this the transport that runs all ranks in one thread?
bool is_loopback();

/// Runs `body` and returns the text of the tasuki::error that it throws; fails the test without.
template <class Body>
std::string error_of(Body body) {
  try {
    body();
  } catch (const error& e) {
    return e.what();
  }
  ADD_FAILURE() << "no tasuki::error was thrown";
  return "";
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace tasuki::test
