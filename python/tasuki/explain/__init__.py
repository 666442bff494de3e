"""`tasuki explain`: what a collective would do, and what that would cost."""
