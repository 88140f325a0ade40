"""`python -m teacherstudent`."""

import sys

from teacherstudent.command import main

sys.exit(main())
