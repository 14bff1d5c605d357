// Monte Carlo paths of the LIBOR market model (LIB): a thread follows the forward rates of a path, in local memory, and
// gives the value of a portfolio of swaptions.
#include "cuda.h"

#define RATES 40
#define DELTA 0.25f

__device__ inline float power_of_e(float value) { return __nvvm_ex2_approx_f(1.44269504f * value); }

extern "C" __global__ void libor(const float *normals, const float *volatility, const int *maturities,
                                 const float *swap, float *value, int paths, int steps, int options) {
    int path = blockIdx_x * blockDim_x + threadIdx_x;
    if (path >= paths)
        return;
    float rate[RATES];
    for (int i = 0; i < RATES; i++)
        rate[i] = 0.05f;
    for (int n = 0; n < steps; n++) {
        float root = 0.5f * normals[n * paths + path], drift = 0;
        for (int i = n + 1; i < RATES; i++) {
            float lambda = volatility[i - n - 1], scaled = DELTA * lambda;
            drift += scaled * rate[i] / (1 + DELTA * rate[i]);
            rate[i] *= power_of_e(scaled * drift + lambda * (root - 0.5f * scaled));
        }
    }
    float discount = 1, annuity = 0, bond[RATES], sums[RATES];
    for (int n = steps; n < RATES; n++) {
        discount /= 1 + DELTA * rate[n];
        annuity += DELTA * discount;
        bond[n - steps] = discount;
        sums[n - steps] = annuity;
    }
    float sum = 0;
    for (int k = 0; k < options; k++) {
        int m = maturities[k] - 1;
        float payoff = bond[m] + swap[k] * sums[m] - 1;
        if (payoff < 0)
            sum += -100 * payoff;
    }
    for (int n = 0; n < steps; n++)
        sum /= 1 + DELTA * rate[n];
    value[path] = sum;
}
