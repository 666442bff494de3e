// What a message costs each predictor. Thread-safety: called by main.
#pragma once

namespace tasuki::bench {

/// Of each stream times a prediction and the learning of what came, in samples of 1000 messages,
/// and prints the lower quartiles.
void compare_predictors();

}  // namespace tasuki::bench
