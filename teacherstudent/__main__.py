"""`python -m teacherstudent`."""

import sys

from teacherstudent.cli.command import main

sys.exit(main())
