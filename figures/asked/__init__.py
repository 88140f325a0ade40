"""Drawing of what was asked: pure functions from an answer to a canvas, which know no system."""
