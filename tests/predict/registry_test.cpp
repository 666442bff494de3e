#include <gtest/gtest.h>
#include <tasuki/detail/predict/registry.hpp>
#include <tasuki/error.hpp>

#include <algorithm>
#include <set>
#include <string>

#include "predict/arrivals.hpp"

namespace tasuki::predict {
namespace {

TEST(Predictors, HaveNamesHelpAndSource) {
  std::set<std::string> names;
  for (const PredictorDescriptor& one : all_predictors()) {
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
    EXPECT_EQ(&predictor_named(one.name), &one);
    EXPECT_FALSE(std::string(one.help).empty());
    EXPECT_FALSE(std::string(one.source).empty());
    EXPECT_FALSE(one.forms.empty());
  }
}

TEST(Predictors, TheDefaultHasItsForm) {
  EXPECT_NE(std::ranges::find(default_predictor().forms, default_form),
            default_predictor().forms.end());
}

TEST(Predictors, AnUnknownNameIsAnError) {
  try {
    predictor_named("nobody");
    FAIL();
  } catch (const error& failure) {
    EXPECT_NE(failure.remedy().find("last_value"), std::string::npos);
  }
}

TEST(Predictors, InAllFormsTakeWhatTheArgumentsFix) {
  for (const PredictorDescriptor& one : all_predictors()) {
    for (const Form form : one.forms) {
      const std::string name = std::string(one.name) + " " + name_of(form);
      const auto predictor = make_predictor(one, {.form = form});
      const Prediction first = predictor->predict(receive_of(message(0, 1, 7)));
      EXPECT_TRUE(first.fields.contains(Field::source)) << name;
      EXPECT_EQ(first.message.source, 1) << name;
    }
  }
}

}  // namespace
}  // namespace tasuki::predict
