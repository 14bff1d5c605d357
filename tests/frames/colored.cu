// Colours and positions that stand in the vertices.
#include "shader.h"

struct Uniforms {
    float matrix[16];
};

// Inputs: position, colour.
extern "C" __global__ void colored_vertex(const Uniforms *uniforms) {
    place(uniforms->matrix, __input(0), __input(1), __input(2));
    for (int i = 0; i < 4; i++) {
        __output(4 + i, __input(3 + i));
    }
}

// The same, positions in clip space.
extern "C" __global__ void clip_vertex() {
    for (int i = 0; i < 8; i++) {
        __output(i, __input(i));
    }
}

extern "C" __global__ void colored_fragment() {
    for (int i = 0; i < 4; i++) {
        __output(i, __input(i));
    }
}

// Drops fragments whose red is in the lower half.
extern "C" __global__ void dropping_fragment() {
    float red = __input(0);
    if (red < 0.5f) {
        __discard();
    }
    for (int i = 0; i < 4; i++) {
        __output(i, __input(i));
    }
}

// The colour's derivatives, and a texture at the colour's red and green.
extern "C" __global__ void textured_fragment() {
    float red = __input(0);
    unsigned color = __texture(0, red, __input(1), 0.0f);
    __output(0, channel(color, 0));
    __output(1, channel(color, 1));
    __output(2, 0.5f + 8.0f * across(red) + 8.0f * down(red));
    __output(3, __input(3));
}
