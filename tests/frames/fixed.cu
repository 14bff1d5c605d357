// Fixed functions of OpenGL 1: matrices, a texture, fog, alpha test.
#include "shader.h"

struct Uniforms {
    float clip[16];
    // Rows x, y, z to the eye, and s, t of the texture's matrix.
    float eye[12];
    float texture[8];
    // Whether the texture's colour, its alpha, the vertex's colour, its alpha count.
    float uses[4];
    // Modes: 0 none, 1 linear, 2 exp, 3 exp2; the factor is mode's function of scale * distance + offset.
    float fog_mode, fog_radial, fog_scale, fog_offset;
    float fog_color[4];
    // Whether an alpha less than, equal to, greater than the reference passes.
    float passes[3];
    float reference;
    // Least and greatest texture coordinates: the centres of texels at edges that are clamped to.
    float least[2], most[2];
};

// A row of a matrix by a point.
__device__ inline float row(const float *m, float x, float y, float z, float w) {
    return m[0] * x + m[1] * y + m[2] * z + m[3] * w;
}

// Inputs: position, colour, texture coordinates.
extern "C" __global__ void fixed_vertex(const Uniforms *uniforms) {
    float x = __input(0), y = __input(1), z = __input(2), w = __input(3);
#pragma unroll
    for (int i = 0; i < 4; i++) {
        __output(i, row(uniforms->clip + 4 * i, x, y, z, w));
        __output(4 + i, clamped(__input(4 + i)));
    }
    float s = __input(8), t = __input(9);
    __output(8, row(uniforms->texture, s, t, 0.0f, 1.0f));
    __output(9, row(uniforms->texture + 4, s, t, 0.0f, 1.0f));
    const float *eye = uniforms->eye;
    Vector seen = {row(eye, x, y, z, w), row(eye + 4, x, y, z, w), row(eye + 8, x, y, z, w)};
    float flat = __nvvm_fmax_f(seen.z, -seen.z);
    __output(10, uniforms->fog_radial != 0.0f ? __nvvm_sqrt_rn_f(dot(seen, seen)) : flat);
}

// The share of the fragment's colour; the rest is fog.
__device__ inline float clear(const Uniforms *uniforms, float distance) {
    float mode = uniforms->fog_mode;
    float at = uniforms->fog_scale * distance + uniforms->fog_offset;
    if (mode > 1.5f) {
        at = __nvvm_ex2_approx_f(-(mode > 2.5f ? at * at : at));
    }
    return mode == 0.0f ? 1.0f : clamped(at);
}

// Writes the colour; its alpha.
__device__ inline float shade(const Uniforms *uniforms) {
    const float *uses = uniforms->uses;
    float s = __nvvm_fmax_f(uniforms->least[0], __nvvm_fmin_f(__input(4), uniforms->most[0]));
    float t = __nvvm_fmax_f(uniforms->least[1], __nvvm_fmin_f(__input(5), uniforms->most[1]));
    unsigned color = __texture(0, s, t, 0.0f);
    float share = clear(uniforms, __input(6));
#pragma unroll
    for (int i = 0; i < 3; i++) {
        float lit = (uses[0] != 0.0f ? channel(color, i) : 1.0f) * (uses[2] != 0.0f ? __input(i) : 1.0f);
        float fog = uniforms->fog_color[i];
        __output(i, fog + share * (lit - fog));
    }
    float alpha = (uses[1] != 0.0f ? channel(color, 3) : 1.0f) * (uses[3] != 0.0f ? __input(3) : 1.0f);
    __output(3, alpha);
    return alpha;
}

extern "C" __global__ void fixed_fragment(const Uniforms *uniforms) { shade(uniforms); }

extern "C" __global__ void tested_fragment(const Uniforms *uniforms) {
    float alpha = shade(uniforms), reference = uniforms->reference;
    const float *passes = uniforms->passes;
    float pass = alpha < reference ? passes[0] : alpha > reference ? passes[2] : passes[1];
    if (pass == 0.0f) {
        __discard();
    }
}
