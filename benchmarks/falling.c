/* Positions of Connect Four by a plain search over a hash table, as most people would write it: the baseline of
   falling.py. Usage: falling ROWS COLUMNS. Four in a row; prints the positions, the empty and the finished included. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t *table, mask, positions;
static int rows, columns;

static int fresh(uint64_t key) {
    uint64_t at = (key * 0x9E3779B97F4A7C15u) >> 20 & mask;
    while (table[at] && table[at] != key) at = (at + 1) & mask;
    if (table[at]) return 0;
    table[at] = key;
    return 1;
}

static int four(uint64_t own) {
    int steps[4] = {1, rows, rows + 1, rows + 2};
    for (int i = 0; i < 4; i++) {
        uint64_t pairs = own & own >> steps[i];
        if (pairs & pairs >> 2 * steps[i]) return 1;
    }
    return 0;
}

static void visit(uint64_t mover, uint64_t all, uint64_t bottom) {
    if (!fresh(mover + all + bottom)) return;
    positions++;
    if (four(mover ^ all)) return;
    for (int c = 0; c < columns; c++) {
        uint64_t column = ((1ull << rows) - 1) << c * (rows + 1);
        uint64_t cell = ((all & column) + (1ull << c * (rows + 1))) & column;
        if (cell) visit(mover ^ all, all | cell, bottom);
    }
}

int main(int count, char **given) {
    if (count != 3) return 2;
    rows = atoi(given[1]), columns = atoi(given[2]);
    int bits = rows * columns < 21 ? 24 : 28;
    mask = (1ull << bits) - 1;
    table = calloc(mask + 1, sizeof *table);
    uint64_t bottom = 0;
    for (int c = 0; c < columns; c++) bottom |= 1ull << c * (rows + 1);
    if (!table) return 1;
    visit(0, 0, bottom);
    printf("%llu\n", (unsigned long long)positions);
    return 0;
}
