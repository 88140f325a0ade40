"""What a GPU makes of the simulations: agreement with a CPU, speed, share of the card's rate."""
