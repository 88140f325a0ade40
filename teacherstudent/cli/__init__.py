"""The command line: its grammar, its options, its report; each command is a module of `commands`."""
