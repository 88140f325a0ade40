"""Speed, each measurement paired in one run with a stated baseline."""
