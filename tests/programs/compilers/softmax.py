"""Softmax of each row, as in Triton's tutorial."""

import triton
import triton.language as tl


@triton.jit
def softmax(out, rows, stride, columns, BLOCK: tl.constexpr):
    row, column = tl.program_id(0), tl.arange(0, BLOCK)
    inside = column < columns
    values = tl.load(rows + row * stride + column, mask=inside, other=-float("inf"))
    powers = tl.exp(values - tl.max(values, axis=0))
    tl.store(out + row * stride + column, powers / tl.sum(powers, axis=0), mask=inside)
