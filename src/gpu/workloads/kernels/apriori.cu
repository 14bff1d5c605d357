// Counts of how many records have each set of items (AP): a record and a set are masks of items.
#include "cuda.h"

// The sets that a record has.
#define FOUND                                                                                                        \
    int i = blockIdx_x * blockDim_x + threadIdx_x;                                                                   \
    if (i >= n)                                                                                                      \
        return;                                                                                                      \
    int record = records[i];                                                                                         \
    unsigned found = 0;                                                                                              \
    for (int set = 0; set < count; set++)                                                                            \
        found |= ((record & sets[set]) == sets[set]) << set;

extern "C" __global__ void apriori_tx(const int *records, const int *sets, int *supports, int *locks, int count,
                                      int n) {
    FOUND
    if (found == 0)
        return;
    __tx_begin();
    for (int set = 0; found >> set; set++)
        if (found >> set & 1)
            supports[set]++;
    __tx_commit();
}

extern "C" __global__ void apriori_lock(const int *records, const int *sets, volatile int *supports, int *locks,
                                        int count, int n) {
    FOUND
#pragma nounroll
    for (int set = 0; set < count; set++) {
        if (found >> set & 1) {
            LOCKED(locks[set], { supports[set]++; })
        }
    }
}
