// Transfers between accounts under two locks, taken in the order of the accounts (thesis,
// figure 4.1).
#include "cuda.h"

extern "C" __global__ void bank_transfer(const int *from, const int *to, const int *amount,
                                         int *locks, int *balance, int n) {
    int i = blockIdx_x * blockDim_x + threadIdx_x;
    if (i >= n || from[i] == to[i])
        return;
    int low = from[i] < to[i] ? from[i] : to[i], high = from[i] ^ to[i] ^ low;
    // Volatile, or clang moves what is done under the lock behind the loop.
    volatile bool done = false;
    while (!done) {
        if (atomic_cas(&locks[low], 0, 1) == 0) {
            if (atomic_cas(&locks[high], 0, 1) == 0) {
                __threadfence();
                ((volatile int *)balance)[from[i]] -= amount[i];
                ((volatile int *)balance)[to[i]] += amount[i];
                __threadfence();
                atomic_exchange(&locks[high], 0);
                done = true;
            }
            atomic_exchange(&locks[low], 0);
        }
    }
}
