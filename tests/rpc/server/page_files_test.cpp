#include "rpc/server/page_files.hpp"

#include <gtest/gtest.h>

#include <string>

#include "rpc/wire/happened.hpp"
#include "rpc/wire/temporary_folder.hpp"

namespace tasuki::rpc {
namespace {

TEST(PageFilesTest, FilesOfKnownKindsAreServedAsTheyAre) {
  const TemporaryFolder folder;
  folder.write("index.html", "<p>routines</p>");
  folder.write("page.js", "run();");
  folder.write("secrets.txt", "token");
  const PageFiles files(folder.name());
  ASSERT_NE(files.find("/page.js"), nullptr);
  EXPECT_EQ(files.find("/page.js")->body, "run();");
  EXPECT_EQ(files.find("/page.js")->content_type, "text/javascript; charset=utf-8");
  ASSERT_NE(files.find("/"), nullptr);
  EXPECT_EQ(files.find("/"), files.find("/index.html"));
  EXPECT_EQ(files.find("/")->body, "<p>routines</p>");
  for (const char* other : {"/secrets.txt", "page.js", "/../index.html", "//page.js", ""}) {
    EXPECT_EQ(files.find(other), nullptr) << other;
  }
}

TEST(PageFilesTest, WithoutAPageThereIsNoServer) {
  const TemporaryFolder folder;
  folder.write("page.js", "run();");
  EXPECT_EQ(happened_in([&] { PageFiles{folder.name()}; }), "there is no page in " + folder.name());
  EXPECT_EQ(happened_in([] { PageFiles{"/nonexistent"}; }), "there is no page in /nonexistent");
}

}  // namespace
}  // namespace tasuki::rpc
