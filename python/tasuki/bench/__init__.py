"""`tasuki bench`: measurements on this machine, each beside its baseline in the same run."""
