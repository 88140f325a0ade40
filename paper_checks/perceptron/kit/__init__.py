"""What several checks of the perceptron share."""
