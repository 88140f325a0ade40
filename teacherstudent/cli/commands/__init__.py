"""The commands, one module for each, with a `COMMAND`; a new command is a new module here."""
