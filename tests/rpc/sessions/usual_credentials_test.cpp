#include "rpc/sessions/usual_credentials.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <tasuki/error.hpp>

namespace tasuki::rpc {
namespace {

struct UsualCredentialsTest : testing::Test {
  UsualCredentialsTest() {
    unsetenv("TASUKI_TOKEN");
    unsetenv("TASUKI_TOKEN_FILE");
    std::ofstream(file) << "in-the-file\n";
    chmod(file.c_str(), 0600);
  }
  ~UsualCredentialsTest() override {
    unsetenv("TASUKI_TOKEN");
    unsetenv("TASUKI_TOKEN_FILE");
    std::filesystem::remove(file);
  }
  /// What goes wrong, or the token, and where it comes from.
  static std::string said(const CredentialOptions& options) {
    try {
      const Credentials made = credentials_of(options);
      return made.token + (made.is_token_given ? ", given" : "");
    } catch (const error& fault) {
      return fault.what();
    }
  }

  /// Of this process alone: each test is one, and they run at once.
  std::string file = testing::TempDir() + "credentials_test_token_" + std::to_string(getpid());
};

TEST_F(UsualCredentialsTest, OptionsComeBeforeSettingsAndTokensBeforeFiles) {
  EXPECT_EQ(said({}), "");
  setenv("TASUKI_TOKEN_FILE", file.c_str(), 1);
  EXPECT_EQ(said({}), "in-the-file");
  setenv("TASUKI_TOKEN", "of-the-setting", 1);
  EXPECT_EQ(said({}), "of-the-setting");
  EXPECT_EQ(said({.token_file = file}), "in-the-file, given");
  EXPECT_EQ(said({.token = "of-the-option", .token_file = file}), "of-the-option, given");
}

TEST_F(UsualCredentialsTest, AFileThatOthersMayReadIsRefused) {
  chmod(file.c_str(), 0640);
  EXPECT_NE(said({.token_file = file}).find("chmod 600 " + file), std::string::npos);
}

TEST_F(UsualCredentialsTest, AFolderIsNoFile) {
  EXPECT_NE(said({.token_file = testing::TempDir()}).find("is a folder"), std::string::npos);
}

TEST_F(UsualCredentialsTest, AFileThatIsNotThereOrEmptyIsNamed) {
  EXPECT_NE(said({.token_file = "/nowhere"}).find("/nowhere: No such file"), std::string::npos);
  std::ofstream(file, std::ios::trunc).flush();
  EXPECT_NE(said({.token_file = file}).find(file + " is empty"), std::string::npos);
}

}  // namespace
}  // namespace tasuki::rpc
