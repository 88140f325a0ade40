"""Questions asked backwards: at which value an observable is reached, and where it is best."""
