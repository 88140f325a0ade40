"""The functions of the front door, one module for each; `teacherstudent` itself exports them."""
