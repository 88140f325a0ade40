"""What the checks of measured spectra share. Nothing here is a check."""
