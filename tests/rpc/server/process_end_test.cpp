#include "rpc/server/process_end.hpp"

#include <gtest/gtest.h>

namespace tasuki::rpc {
namespace {

TEST(ProcessEnd, IsNamedByItsCodeOrSignal) {
  EXPECT_EQ(text_of({.code = 3}), "exit code 3");
  EXPECT_EQ(text_of({.signal = 11}), "signal 11 (Segmentation fault)");
  EXPECT_EQ(text_of({.signal = 35}), "signal 35");
}

TEST(ProcessEnd, ACodeOfALauncherTellsTheSignalOfItsProcess) {
  EXPECT_EQ(text_of(end_by_code(139)), "signal 11 (Segmentation fault)");
  EXPECT_EQ(text_of(end_by_code(127)), "exit code 127");
  EXPECT_EQ(text_of(end_by_code(128)), "exit code 128");
  EXPECT_EQ(text_of(end_by_code(255)), "exit code 255");
}

}  // namespace
}  // namespace tasuki::rpc
