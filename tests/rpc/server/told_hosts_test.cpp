#include "rpc/server/told_hosts.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace tasuki::rpc {
namespace {

/// Returns: what a server on host h0 finds in the lines.
std::string told_in(const std::vector<std::string_view>& lines) {
  ToldHosts told("h0");
  for (const std::string_view line : lines) told.take(line);
  return told.text();
}

TEST(ToldHosts, TheHostIsNamedThatHasVanishedAndNoneThatEndsForIt) {
  // As ranks and the launcher print over UCX, once the link of h1 is back.
  EXPECT_EQ(told_in({
                "tasuki: rank 1: host h0 with rank 0 has vanished: there has been no sign of",
                "tasuki: rank 0: host h1 with ranks 1-2 has vanished: there has been no sign of",
                "  main waits for rank 1",
                "tasuki: rank 1 on host h1 (pid 66) ended with exit code 73; ending the other",
                "tasuki: rank 0 on host h0 (pid 81) ended with exit code 73; ending the other",
                "tasuki: host h0 with rank 0 (pid 79) ended with exit code 73; ending the other",
            }),
            "host h1 with ranks 1-2 has vanished");
}

TEST(ToldHosts, AllAreNamedOnce) {
  EXPECT_EQ(told_in({"tasuki: rank 0: host b with ranks 2-3, 6; host c with rank 4 have vanished:"
                     " there has been no sign of life from them for 30 s:",
                     "tasuki: rank 1: host b with ranks 2-3, 6; host c with rank 4 have vanished:"
                     " there has been no sign of life from them for 30 s. Nothing here waited",
                     "tasuki: host c with rank 4 cannot be reached any more.",
                     "tasuki: host d with rank 5 cannot be reached any more:"}),
            "host b with ranks 2-3, 6 has vanished; host c with rank 4 has vanished;"
            " host d with rank 5 cannot be reached any more");
}

TEST(ToldHosts, WhatTellsOfNoVanishedHostDoesNotCount) {
  EXPECT_EQ(told_in({"mpiexec: host b with rank 1 has vanished.", "tasuki: running as root.",
                     "tasuki: localhost with rank 1 has vanished.", "tasuki: host b has vanished.",
                     "tasuki: host b with rank one has vanished.",
                     "tasuki: host b with rank 1 has vanished from the list.",
                     "tasuki: host b with rank 1 cannot be reached.",
                     "tasuki: rank 1: host b with rank 1 has not been heard by the others for 3 s.",
                     "tasuki: rank 1: start on a host with rank 1 has vanished.",
                     "tasuki: rank 1: host b with rank 1; host h0 with rank 0 have vanished.", ""}),
            "");
}

TEST(ToldHosts, ALongNameOfThisHostIsKnownWhereItIsCutOff) {
  const std::string own = "node-" + std::string(50, '0') + ".cluster";
  ToldHosts told(own);
  told.take("tasuki: rank 1: host " + own.substr(0, 47) +
            " with rank 0 has vanished: it is quiet.");
  EXPECT_EQ(told.text(), "");
  told.take("tasuki: rank 1: host node with rank 0 has vanished: it is quiet.");
  EXPECT_EQ(told.text(), "host node with rank 0 has vanished");
}

TEST(ToldHosts, HoweverManyAreToldOfTheMemoryIsBounded) {
  ToldHosts told("h0");
  for (int i = 0; i < 1000; ++i) {
    told.take("tasuki: host b" + std::to_string(i) + " with rank 1 has vanished.");
  }
  EXPECT_LT(told.text().size(), 10'000U);
}

}  // namespace
}  // namespace tasuki::rpc
