#!/usr/bin/env python3
"""Compares two pictures: exit code 1 if more than 0.1 % of their pixels differ by more than two steps of a channel."""

import sys

from PIL import Image

one, other = (Image.open(name).convert("RGB") for name in sys.argv[1:3])
if one.size != other.size:
    sys.exit(f"sizes {one.size} and {other.size}")
steps = [max(abs(a - b) for a, b in zip(*pair)) for pair in zip(one.getdata(), other.getdata())]
far = sum(step > 2 for step in steps)
share = 100 * far / len(steps)
print(f"{len(steps)} pixels: {steps.count(0)} equal, {steps.count(1)} by 1 step, {steps.count(2)} by 2 steps,")
print(f"{far} by more ({share:.3f} %)")
sys.exit(share > 0.1)
