#include <tasuki/detail/containers/object_name.hpp>

#include "support/rank_test.hpp"

namespace tasuki::containers {
namespace {

using test::contains;
using test::error_of;
using ObjectNameTest = test::RankTest;

TEST_F(ObjectNameTest, objects_are_found_by_their_names) {
  int one = 1;
  int two = 2;
  const ObjectName name_of_one = enter_object(&one);
  const ObjectName name_of_two = enter_object(&two);
  EXPECT_EQ(find_object(name_of_one, "Lamp"), &one);
  EXPECT_EQ(find_object(name_of_two, "Lamp"), &two);
  remove_object(name_of_two);
  remove_object(name_of_one);
}

TEST_F(ObjectNameTest, a_name_is_not_given_again) {
  int one = 1;
  const ObjectName before = enter_object(&one);
  remove_object(before);
  const ObjectName after = enter_object(&one);
  const std::string text = error_of([&] { find_object(before, "Lamp"); });
  EXPECT_TRUE(contains(text, "Lamp: this rank has destroyed it")) << text;
  EXPECT_TRUE(contains(text, "Remedy: call quiesce()")) << text;
  remove_object(after);
}

}  // namespace
}  // namespace tasuki::containers
