"""`python -m tasuki` is the `tasuki` command."""

import sys

from tasuki.cli import main

sys.exit(main())
