"""The interface-definition language of Ninf: what a routine that others call takes and returns."""
