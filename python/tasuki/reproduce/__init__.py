"""`tasuki reproduce`: the figures and tables of the published systems that Tasuki comes from."""
