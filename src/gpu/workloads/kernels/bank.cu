// Transfers between accounts (ATM; thesis, figure 4.1). Accounts have 8 bytes.
#include "cuda.h"

extern "C" __global__ void bank_tx(const int *from, const int *to, const int *amounts, long long *accounts,
                                   int *locks, int n) {
    int i = blockIdx_x * blockDim_x + threadIdx_x;
    if (i >= n)
        return;
    int source = from[i], target = to[i], amount = amounts[i];
    __tx_begin();
    accounts[source] -= amount;
    accounts[target] += amount;
    __tx_commit();
}

extern "C" __global__ void bank_lock(const int *from, const int *to, const int *amounts,
                                     volatile long long *accounts, int *locks, int n) {
    int i = blockIdx_x * blockDim_x + threadIdx_x;
    if (i >= n)
        return;
    int source = from[i], target = to[i], amount = amounts[i];
    LOCKED_BOTH(locks, source, target, {
        accounts[source] -= amount;
        accounts[target] += amount;
    })
}
