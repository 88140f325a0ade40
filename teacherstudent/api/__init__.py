"""The functions of the front door, one module a question; `teacherstudent` itself exports them."""
