"""Questions asked backwards: at which value, where is it best, how much an answer moves with its inputs."""
