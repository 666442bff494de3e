"""`tasuki predict`: how well the next message could have been predicted."""
