"""One module a command, each with a `COMMAND`; a new command is a new module here."""
