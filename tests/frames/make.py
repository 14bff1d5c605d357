#!/usr/bin/env python3
"""Makes the buffers and textures of scene.frame.toml, and prints its matrices."""

import math
import pathlib
import struct

FOLDER = pathlib.Path(__file__).parent
data = bytearray()


def put(name, count, values, form="f"):
    """Appends values; says where they are."""
    print(f"{name}: offset = {len(data)}, count = {count}")
    data.extend(struct.pack(f"<{len(values)}{form}", *values))


def torus(rings, sides, big, small):
    """Vertices (position, normal, texture coordinates) and indices."""
    vertices, indices = [], []
    for ring in range(rings + 1):
        a = 2 * math.pi * ring / rings
        for side in range(sides + 1):
            b = 2 * math.pi * side / sides
            normal = (math.cos(a) * math.cos(b), math.sin(b), math.sin(a) * math.cos(b))
            centre = (big * math.cos(a), 0, big * math.sin(a))
            position = [c + small * n for c, n in zip(centre, normal)]
            vertices += [*position, *normal, 8 * ring / rings, 2 * side / sides]
    for ring in range(rings):
        for side in range(sides):
            here = ring * (sides + 1) + side
            there = here + sides + 1
            indices += [here, here + 1, there, there, here + 1, there + 1]
    return vertices, indices


def times(a, b):
    return [sum(a[4 * r + k] * b[4 * k + c] for k in range(4)) for r in range(4) for c in range(4)]


def view(eye, pitch):
    s, c = math.sin(pitch), math.cos(pitch)
    turn = [1, 0, 0, 0, 0, c, -s, 0, 0, s, c, 0, 0, 0, 0, 1]
    move = [1, 0, 0, -eye[0], 0, 1, 0, -eye[1], 0, 0, 1, -eye[2], 0, 0, 0, 1]
    return times(turn, move)


def perspective(fov, aspect, near, far):
    """Vulkan's clip space: y downwards, z from 0 to w; the viewer looks along -z."""
    f = 1 / math.tan(fov / 2)
    z = far / (near - far)
    return [f / aspect, 0, 0, 0, 0, -f, 0, 0, 0, 0, z, near * z, 0, 0, -1, 0]


def shown(name, matrix):
    print(f"{name}: [" + ", ".join(f"{value:.7g}" for value in matrix) + "]")


camera = times(perspective(0.9, 4 / 3, 0.5, 30), view((0, 2.2, 6.0), 0.28))
tilt = 0.5
model = [1, 0, 0, 0, 0, math.cos(tilt), -math.sin(tilt), 1.6, 0, math.sin(tilt), math.cos(tilt), 0, 0, 0, 0, 1]
mirrored = [1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
shown("camera", camera)
shown("model", times(camera, model))
shown("mirrored", times(camera, times(mirrored, model)))

vertices, indices = torus(48, 24, 1.5, 0.55)
put("torus", len(vertices), vertices)
put("torus_indices", len(indices), indices, "I")
put("floor", 12, [-4, 0, -4, 4, 0, -4, -4, 0, 3, 4, 0, 3])
panes = []
for at, color in enumerate([(1, 0.2, 0.1, 0.4), (0.1, 0.9, 0.3, 0.4), (0.2, 0.3, 1, 0.4)]):
    x, z = -2.4 + 1.5 * at, 1.0 + 0.6 * at
    corners = [(x, 0.1, z), (x + 1.8, 0.1, z), (x, 2.4, z), (x, 2.4, z), (x + 1.8, 0.1, z), (x + 1.8, 2.4, z)]
    panes += [value for corner in corners for value in (*corner, *color)]
put("panes", len(panes), panes)
leaves = []
for at in range(9):
    x, z, normal = -3.6 + 0.9 * at, -3.2 + 0.2 * (at % 3), (0, 0, 1)
    corners = [(x, 0, 0, 1), (x + 1.2, 0, 1, 1), (x, 1.3, 0, 0), (x, 1.3, 0, 0), (x + 1.2, 0, 1, 1), (x + 1.2, 1.3, 1, 0)]
    leaves += [value for cx, cy, u, v in corners for value in (cx, cy, z, *normal, u, v)]
put("leaves", len(leaves), leaves)

checks = [[230, 190, 120] if (x // 8 + y // 8) % 2 else [120, 60, 40] for y in range(32) for x in range(32)]
put("checks", 32 * 32 * 3, [byte for texel in checks for byte in texel], "B")


def leaf(x, y):
    u, v = (x - 15.5) / 16, (y - 15.5) / 16
    inside = abs(u) < 0.7 * (1 - v * v) * (0.75 + 0.25 * math.cos(9 * v))
    return [40 + 3 * y, 150 - 2 * y, 40, 255 if inside else 0]


put("leaf", 32 * 32 * 4, [byte for y in range(32) for x in range(32) for byte in leaf(x, y)], "B")
(FOLDER / "scene.bin").write_bytes(data)
