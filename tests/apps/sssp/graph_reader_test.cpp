#include "sssp/graph_reader.hpp"

#include <gtest/gtest.h>

#include "apps/sssp/compressed.hpp"
#include "apps/sssp/temporary_file.hpp"
#include "sssp/graph_error.hpp"
#include "sssp/graph_formats.hpp"

namespace tasuki::sssp {
namespace {

using Edges = std::vector<Edge>;

testing::AssertionResult contains(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "'" << text << "' does not contain '" << part << "'";
}

EdgeList read(const std::string& ending, const std::string& content) {
  return read_graph(TemporaryFile(ending, content).path());
}

/// What the reader says, without the file's name.
std::string complaint(const std::string& ending, const std::string& content) {
  const TemporaryFile file(ending, content);
  try {
    read_graph(file.path());
  } catch (const graph_error& error) {
    const std::string text = error.what();
    const std::string begin = "tasuki: sssp: " + file.path() + ":";
    EXPECT_EQ(text.substr(0, begin.size()), begin);
    EXPECT_TRUE(contains(text, ". Remedy: ")) << "says what to do";
    return text.substr(begin.size());
  }
  return "none";
}

TEST(GraphReader, ReadsDimacs) {
  const EdgeList list = read(".gr", "c hello\n\np sp 3 2\na 1 3 7\r\nc p sp 9 9\n a 3 2 0");
  EXPECT_EQ(list.node_count, 3U);
  EXPECT_EQ(list.first_number, 1U);
  EXPECT_EQ(list.arcs, (Edges{{0, 2, 7}, {2, 1, 0}}));
}

TEST(GraphReader, ReadsPaceBothWaysWithWeightsOfTheNumbersInTheFile) {
  const EdgeList list = read(".gr", "p tw 12 2\n1 2\n12 1\n");
  EXPECT_EQ(list.node_count, 12U);
  // 1 + splitmix64(2^32 + 2) mod 1000 and 1 + splitmix64(2^32 + 12) mod 1000.
  const Weight first = 1 + 12929899232056340514U % 1000;
  const Weight second = 1 + 16105497610629491547U % 1000;
  EXPECT_EQ(pace_weight(2, 1), first);
  EXPECT_EQ(list.arcs, (Edges{{0, 1, first}, {1, 0, first}, {11, 0, second}, {0, 11, second}}));
}

TEST(GraphReader, ReadsEdgeLists) {
  const EdgeList list = read(".txt", "# nodes\n% as well\n0 5\n\n5 1 4294967295\n\t2 2 0 \n");
  EXPECT_EQ(list.node_count, 6U);
  EXPECT_EQ(list.first_number, 0U);
  EXPECT_EQ(list.arcs, (Edges{{0, 5, 1}, {5, 1, most_weight}, {2, 2, 0}}));
  EXPECT_EQ(read(".txt", "").node_count, 0U);
}

TEST(GraphReader, ReadsWhatIsCompressed) {
  EXPECT_EQ(read(".gr.xz", compressed("p sp 2 1\na 2 1 5\n")).arcs, (Edges{{1, 0, 5}}));
  EXPECT_EQ(read(".el.xz", compressed("0 1\n") + compressed("1 0 3\n")).arcs,
            (Edges{{0, 1, 1}, {1, 0, 3}}));
}

TEST(GraphReader, ReadsLongLinesAndManyOfThem) {
  std::string text = "#" + std::string(200'000, 'x') + "\n";
  for (int line = 0; line < 30'000; ++line) text += "0 " + std::to_string(line) + " 1\n";
  for (const std::string& content : {text, text.substr(0, text.size() - 1)}) {
    const EdgeList list = read(".el", content);
    EXPECT_EQ(list.arcs.size(), 30'000U);
    EXPECT_EQ(list.node_count, 30'000U);
  }
}

TEST(GraphReader, NamesLineOfWrongHeader) {
  EXPECT_TRUE(contains(complaint(".gr", "c x\nq sp 1 1\n"),
                       "2: 'q sp 1 1' is not a header. Remedy: begin"));
  EXPECT_TRUE(contains(complaint(".gr", "p xx 1 1\n"), "1: 'p xx 1 1' is not a header"));
  EXPECT_TRUE(contains(complaint(".gr", "1 2\n"), "1: '1 2' is not a header"));
  EXPECT_TRUE(contains(complaint(".gr", ""), "the file has no header"));
  EXPECT_TRUE(contains(complaint(".gr", "p sp 3\n"), "1: the number of arcs is missing"));
  EXPECT_TRUE(contains(complaint(".gr", "p sp x 1\n"), "number of nodes 'x' is not an integer"));
  EXPECT_TRUE(contains(complaint(".gr", "p sp 3 1 1\n"), "1: '1' is one word too many"));
  EXPECT_TRUE(contains(complaint(".gr", "p tw 2147483648 1\n"), "2147483648 is out of range"));
}

TEST(GraphReader, NamesLineOfWrongNode) {
  EXPECT_TRUE(contains(complaint(".gr", "p sp 3 1\na 4 1 1\n"),
                       "2: node 4 is out of range. Remedy: make it an integer from 1 to 3"));
  EXPECT_TRUE(contains(complaint(".gr", "p sp 3 1\na 1 0 1\n"), "2: node 0 is out of range"));
  EXPECT_TRUE(contains(complaint(".gr", "p tw 3 1\n1 4\n"), "2: node 4 is out of range"));
  EXPECT_TRUE(contains(complaint(".gr", "p tw 3 1\n1\n"), "2: the node is missing"));
  EXPECT_TRUE(contains(complaint(".el", "0 1\n0 2147483647\n"), "2: node 2147483647 is out of"));
  EXPECT_TRUE(contains(complaint(".el", "0 -1\n"), "1: node -1 is negative"));
}

TEST(GraphReader, QuotesTheBeginningOfALineOnly) {
  const std::string wrong = complaint(".gr", "\x1b[2J\xff" + std::string(5000, 'x') + "\n");
  EXPECT_TRUE(contains(wrong, "1: '\\x1b[2J\\xffxxx")) << wrong;
  EXPECT_TRUE(contains(wrong, "xxx...' is not a header")) << wrong;
  EXPECT_LT(wrong.size(), 300U);
  EXPECT_LT(complaint(".el", "0 " + std::string(5000, '9') + "\n").size(), 300U);
}

TEST(GraphReader, SaysOfNumbersWhatTheyAre) {
  EXPECT_TRUE(contains(complaint(".el", "0 -abc\n"), "1: node '-abc' is not an integer"));
  EXPECT_TRUE(contains(complaint(".gr", "p sp 0 1\na 1 1 1\n"),
                       "2: node 1 is out of range. Remedy: there can be no node"));
}

TEST(GraphReader, NamesLineOfWrongWeight) {
  EXPECT_TRUE(
      contains(complaint(".gr", "p sp 2 1\na 1 2 -3\n"),
               "2: weight -3 is negative. Remedy: make it an integer from 0 to 4294967295"));
  EXPECT_TRUE(contains(complaint(".gr", "p sp 2 1\na 1 2 4294967296\n"),
                       "2: weight 4294967296 is out of range"));
  EXPECT_TRUE(contains(complaint(".el", "0 1 99999999999999999999\n"), "1: weight 9999999999999"));
  EXPECT_TRUE(contains(complaint(".el", "0 1 1.5\n"), "1: weight '1.5' is not an integer"));
  EXPECT_TRUE(contains(complaint(".gr", "p sp 2 1\na 1 2\n"), "2: the weight is missing"));
  EXPECT_TRUE(contains(complaint(".gr", "p sp 2 1\na 1 2 3 4\n"), "2: '4' is one word too many"));
}

TEST(GraphReader, NamesLineWhereTheCountIsWrong) {
  EXPECT_TRUE(contains(complaint(".gr", "p sp 2 2\na 1 2 3\n"),
                       "2: the file ends after 1 of the 2 arcs of the header"));
  EXPECT_TRUE(contains(complaint(".gr", "p sp 2 1\na 1 2 3\na 1 2 3\n"),
                       "3: there are more than the 1 arcs of the header"));
  EXPECT_TRUE(contains(complaint(".gr", "p tw 2 2\n1 2\n"), "2: the file ends after 1 of the 2"));
  EXPECT_TRUE(contains(complaint(".gr", "p tw 2 0\n1 2\n"), "2: there are more than the 0 edges"));
  EXPECT_TRUE(contains(complaint(".gr", "p sp 2 1\nb 1 2 3\n"), "2: 'b 1 2 3' is not an arc"));
}

TEST(GraphReader, ReportsEveryTruncation) {
  std::string text = "p sp 9 500\n";
  for (int line = 0; line < 500; ++line) text += "a 1 2 " + std::to_string(line * line) + "\n";
  const std::string whole = compressed(text);
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_EQ(complaint(".gr.xz", whole.substr(0, size)),
              " the .xz file is truncated. Remedy: get it again as a whole.")
        << size << " bytes";
}

TEST(GraphReader, BoundsTheLengthOfALine) {
  const std::string longest(1 << 20, ' ');
  EXPECT_EQ(read(".gr", "p sp 2 0" + longest.substr(8) + "\n").node_count, 2U);
  EXPECT_TRUE(
      contains(complaint(".gr", "p sp 2 0" + longest), "1: the line is longer than 1048576"));
  EXPECT_TRUE(
      contains(complaint(".gr", "p sp 2 0\n" + longest + longest), "2: the line is longer"));
}

TEST(GraphReader, ReportsDamage) {
  std::string damaged = compressed("p sp 2 1\na 1 2 3\n");
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 1);
  EXPECT_TRUE(contains(complaint(".gr.xz", damaged), "the .xz file is damaged"));
  EXPECT_TRUE(contains(complaint(".gr.xz", "p sp 2 1\na 1 2 3\n"), "not in the .xz format"));
}

TEST(GraphReader, ReportsFilesThatCannotBeRead) {
  EXPECT_THROW(read_graph(testing::TempDir() + "there/is/no/such.gr"), graph_error);
  EXPECT_THROW(read_graph(testing::TempDir()), graph_error);
}

}  // namespace
}  // namespace tasuki::sssp
