"""The papers' figures and our own maps: each module draws what routes computed.

A figure module announces `FIGURE`. Importing it imports no matplotlib and no JAX.
"""
