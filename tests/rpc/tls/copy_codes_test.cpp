#include "rpc/tls/copy_codes.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tasuki::rpc {
namespace {

using Pieces = std::vector<std::string>;
using Code = std::vector<std::uint8_t>;

Code code_of(CopyCodes& codes, const Pieces& pieces) {
  codes.begin_call();
  codes.begin_array();
  for (const std::string& one : pieces) codes.add(std::as_bytes(std::span(one)));
  codes.end_array();
  const auto all = codes.all();
  return {all.begin(), all.end()};
}

TEST(CopyCodesTest, TheSameCopiesHaveTheSameCode) {
  CopyCodes codes("secret");
  CopyCodes others("secret");
  const Code code = code_of(codes, {"abc", "d"});
  EXPECT_EQ(code.size(), 16U);
  EXPECT_EQ(code_of(others, {"ab", "", "cd"}), code);  // However it has come.
  EXPECT_EQ(code_of(codes, {"abcd"}), code);
}

TEST(CopyCodesTest, OtherCopiesHaveOthers) {
  CopyCodes codes("secret");
  const Code code = code_of(codes, {"abcd"});
  for (const char* other : {"abce", "abc", "", "abcda"}) EXPECT_NE(code_of(codes, {other}), code);
}

TEST(CopyCodesTest, WithoutTheSecretNobodyKnowsThem) {
  CopyCodes codes("secret");
  CopyCodes guesses("guess");
  EXPECT_NE(code_of(codes, {"abcd"}), code_of(guesses, {"abcd"}));
}

TEST(CopyCodesTest, ThereIsOneForEachArrayOfACall) {
  CopyCodes codes("secret");
  codes.begin_call();
  EXPECT_TRUE(codes.all().empty());
  for (int i = 0; i < 3; ++i) {
    codes.begin_array();
    codes.end_array();
  }
  EXPECT_EQ(codes.all().size(), 48U);
}

}  // namespace
}  // namespace tasuki::rpc
