"""An instance of orthogonal convolutions, and how it is built from validated values."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class OrthogonalConvolution:
    """All fields are validated: build it through `PROBLEM.instance`. Names as in its parameters."""

    outputs: int
    inputs: int
    kernel_size: int
    stride: int
    size: int
    dimension: int
    init: float

    @property
    def kernel_shape(self) -> tuple[int, ...]:
        """(M, C, k) or (M, C, k, k)."""
        return (self.outputs, self.inputs, *[self.kernel_size] * self.dimension)

    @property
    def rows(self) -> bool:
        """Whether rows are to be orthonormal, A A^T = I, rather than columns: M <= C S^D."""
        return self.outputs <= self.inputs * self.stride**self.dimension

    @property
    def matrix_shape(self) -> tuple[int, int]:
        """Numbers that come out, M N^D, and that go in, C (S N)^D."""
        out, into = self.size**self.dimension, (self.stride * self.size) ** self.dimension
        return self.outputs * out, self.inputs * into


def build(
    *, outputs: int, inputs: int, kernel_size: int, stride: int, size: int, dimension: int, init: float
) -> OrthogonalConvolution:
    """The instance of these values, each of which is in its domain."""
    return OrthogonalConvolution(outputs, inputs, kernel_size, stride, size, dimension, init)
