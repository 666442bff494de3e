"""The command line of each subcommand; the work is in the packages below."""
