#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <tasuki/detail/coll/policy_file.hpp>
#include <tasuki/error.hpp>

#include <filesystem>
#include <fstream>
#include <string>

namespace tasuki::coll {
namespace {

constexpr const char* machine = "2 cores, Some CPU @ 3.00GHz";

PolicyFile example() {
  return {
      machine,
      "shm",
      "",
      {{Collective::allreduce, 2, 64, "recursive_multiplying", "radix=8", "0.2 us, next 0.6 us"},
       {Collective::barrier, any_ranks, any_bytes, "dissemination", "radix=4", ""}}};
}

std::string refusal(const std::string& text) {
  try {
    parse_policy_file(text, "my.policy");
  } catch (const error& failure) {
    return failure.what();
  }
  return "accepted";
}

/// The example with a line `row` in it.
std::string with_row(const std::string& row) {
  return "tasuki policy 1\nmachine m\ntransport shm\n" + row + "\nend\n";
}

TEST(PolicyFileTest, ReadsWhatItWrites) {
  const PolicyFile file = parse_policy_file(to_text(example()), "my.policy");
  EXPECT_EQ(file.machine, machine);
  EXPECT_EQ(file.transport, "shm");
  ASSERT_EQ(file.rows.size(), 2U);
  EXPECT_EQ(to_text(file), to_text(example()));
  EXPECT_EQ(file.rows[0].reason, "0.2 us, next 0.6 us");
  EXPECT_EQ(file.rows[0].bytes_up_to, 64U);
  EXPECT_EQ(file.rows[1].bytes_up_to, any_bytes);
  EXPECT_EQ(file.rows[1].parameters, "radix=4");
}

TEST(PolicyFileTest, RowsBehindALineAboutNodesHoldForRanksThere) {
  const std::string text =
      "tasuki policy 1\nmachine m\ntransport mpi\nbarrier any any tree - for all\n"
      "nodes 2 4 2\nbarrier any any two_level - few nodes\nnodes 1 any any\n"
      "barrier any any linear - again for all\nend\n";
  const PolicyFile file = parse_policy_file(text, "my.policy");
  ASSERT_EQ(file.rows.size(), 3U);
  EXPECT_EQ(file.rows[0].nodes, NodeRange{});
  EXPECT_EQ(file.rows[1].nodes, (NodeRange{2, 4, 2}));
  EXPECT_EQ(file.rows[2].nodes, NodeRange{});
  EXPECT_EQ(parse_policy_file(to_text(file), "again").rows[1].nodes, file.rows[1].nodes);
}

TEST(PolicyFileTest, LinesAboutNodesThatMakeNoSenseAreRefused) {
  const auto says = [](const std::string& line, const char* text) {
    const std::string found = refusal(with_row(line));
    EXPECT_NE(found.find(text), std::string::npos) << found;
    EXPECT_NE(found.find("line 4"), std::string::npos) << found;
  };
  says("nodes 2", "the number of nodes is missing");
  says("nodes 2 4 2 barrier any any tree -", "'barrier any any tree -' is too much");
  says("nodes 0 4 2", "no team has 0 nodes");
  says("nodes 2 4 0", "0 ranks on a node");
  says("nodes 4 2 any", "no team has 4 nodes or more, and at most 2");
}

TEST(PolicyFileTest, ItsRowsComeBeforeTheDefaultOnes) {
  const Policy policy = policy_for(example(), machine, "shm", "my.policy");
  Shape shape;
  shape.ranks = 3;
  EXPECT_STREQ(policy.select(Collective::barrier, shape).algorithm->name, "dissemination");
  EXPECT_EQ(policy.select(Collective::barrier, shape).parameters.get("radix"), 4);
  EXPECT_EQ(policy.select(Collective::scan, shape).algorithm,
            default_policy().select(Collective::scan, shape).algorithm);
}

TEST(PolicyFileTest, TheFileOfAnotherMachineOrTransportIsRefusedWithTheReason) {
  for (const auto& [here, transport] :
       {std::pair{"4 cores, Some CPU @ 3.00GHz", "shm"}, std::pair{machine, "mpi"}}) {
    try {
      policy_for(example(), here, transport, "my.policy");
      FAIL() << "accepted";
    } catch (const error& failure) {
      const std::string text = failure.what();
      EXPECT_NE(text.find("my.policy was measured on another"), std::string::npos) << text;
      EXPECT_NE(text.find("tasuki tune"), std::string::npos) << text;
    }
  }
}

TEST(PolicyFileTest, AFileForAnyMachineIsForThisOne) {
  PolicyFile file = example();
  file.machine = "any";
  file = parse_policy_file(to_text(file), "my.policy");
  EXPECT_NO_THROW(require_measured_here(file, machine, "shm", "", "my.policy"));
  EXPECT_THROW(require_measured_here(file, machine, "mpi", "", "my.policy"), error);
}

TEST(PolicyFileTest, TheFileOfAnotherLibraryIsRefusedIfItNamesOne) {
  const auto check = [](const PolicyFile& file) {
    require_measured_here(file, machine, "shm", "MPI 2", "my.policy");
  };
  PolicyFile file = example();
  EXPECT_NO_THROW(check(file));
  file.library = "MPI 1";
  file = parse_policy_file(to_text(file), "my.policy");
  try {
    check(file);
    FAIL() << "accepted";
  } catch (const error& failure) {
    const std::string text = failure.what();
    EXPECT_NE(text.find("measured on another MPI library: 'MPI 1', this is 'MPI 2'"),
              std::string::npos)
        << text;
  }
}

TEST(PolicyFileTest, WhatIsNoPolicyIsRefused) {
  EXPECT_NE(refusal("").find("does not begin with"), std::string::npos);
  EXPECT_NE(refusal("hello\n").find("my.policy, line 1"), std::string::npos);
  EXPECT_NE(refusal("tasuki policy 2\nend\n").find("does not begin with"), std::string::npos);
}

TEST(PolicyFileTest, AFileThatWasCutShortIsRefused) {
  const std::string whole = to_text(example());
  const std::string cut = whole.substr(0, whole.find("end"));
  EXPECT_NE(refusal(cut).find("cut short"), std::string::npos) << refusal(cut);
}

TEST(PolicyFileTest, RowsThatMakeNoSenseAreRefusedWithTheirLine) {
  const auto says = [](const std::string& row, const char* text) {
    const std::string found = refusal(with_row(row));
    EXPECT_NE(found.find(text), std::string::npos) << found;
    EXPECT_NE(found.find("line 4"), std::string::npos) << found;
  };
  says("allredcue 2 64 ring -", "allredcue");
  says("allreduce 2 64 rings -", "none called 'rings'");
  says("allreduce two 64 ring -", "the number of ranks is 'two'");
  says("allreduce 2 -64 ring -", "the number of bytes is '-64'");
  says("allreduce 2 64", "the algorithm is missing");
  says("allreduce 2 64 ring", "parameters (- if there are none) is missing");
  says("barrier 2 64 dissemination radix=1", "radix");
  says("barrier 2 64 dissemination radix=1", "from 2 to");
}

TEST(PolicyFileTest, WhatCannotBeReadIsRefused) {
  const auto says = [](const char* path, const char* text) {
    std::string found;
    try {
      read_policy_file(path);
    } catch (const error& failure) {
      found = failure.what();
    }
    EXPECT_NE(found.find(text), std::string::npos) << found;
    EXPECT_NE(found.find("made by tasuki tune"), std::string::npos) << found;
  };
  says("/dev", "/dev is no regular file");
  says("/dev/zero", "/dev/zero is no regular file");
  says("/no/such/file", "there is no file /no/such/file");
  const std::string path = testing::TempDir() + "policy." + std::to_string(::getpid());
  ASSERT_EQ(::mkfifo(path.c_str(), S_IRUSR | S_IWUSR), 0);
  says(path.c_str(), "is no regular file");
  std::filesystem::remove(path);
  std::ofstream(path) << std::string((4 << 20) + 1, '#');
  says(path.c_str(), "longer than 4 MiB");
  std::ofstream(path).close();
  EXPECT_EQ(read_policy_file(path), "");
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace tasuki::coll
