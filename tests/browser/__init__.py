"""What only a browser can show."""
