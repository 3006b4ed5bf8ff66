/* Connect Four, solved plainly: alpha-beta in null windows on bit columns, with a table. For benchmarks/columns.py.
   Reads positions, one a line, as columns 1 to 7; prints for each the score: half the plies that are left, as in
   noughts.kernels.search.columns. Built by: cc -O3 -march=native columns.c -o columns */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define H 6
#define W 7
#define SLOTS ((1u << 23) + 9)
typedef uint64_t board;

static board keys[SLOTS], bottom, cells;
static int8_t bounds[SLOTS]; /* upper bounds, plus 100 */
static uint64_t nodes;
static const int order[W] = {3, 2, 4, 1, 5, 0, 6};

static board column(int c) { return (((board)1 << H) - 1) << c * (H + 1); }

static board ends(board own) {
    board found = own << 1 & own << 2 & own << 3;
    for (int d = H; d <= H + 2; d++) {
        board up = own >> d & own >> 2 * d, down = own << d & own << 2 * d;
        found |= (up & (own >> 3 * d | own << d)) | (down & (own << 3 * d | own >> d));
    }
    return found & cells;
}

static int negamax(board own, board marks, int alpha, int beta) {
    int count = __builtin_popcountll(marks);
    board possible = (marks + bottom) & cells, wins = ends(own ^ marks), forced = possible & wins;
    nodes++;
    if (forced) {
        if (forced & (forced - 1)) return -(H * W - count) / 2;
        possible = forced;
    }
    possible &= ~(wins >> 1);
    if (!possible) return -(H * W - count) / 2;
    if (count >= H * W - 2) return 0;
    int low = -(H * W - 2 - count) / 2, high = (H * W - 1 - count) / 2;
    board key = own + marks;
    uint32_t place = key % SLOTS;
    if (keys[place] == key && bounds[place]) high = bounds[place] - 100;
    if (alpha < low) alpha = low;
    if (beta > high) beta = high;
    if (alpha >= beta) return beta;
    board moves[W];
    int weights[W], total = 0;
    for (int i = 0; i < W; i++) {
        board move = possible & column(order[i]);
        if (!move) continue;
        int weight = __builtin_popcountll(ends(own | move) & ~(marks | move)), at = total++;
        for (; at && weights[at - 1] < weight; at--) moves[at] = moves[at - 1], weights[at] = weights[at - 1];
        moves[at] = move, weights[at] = weight;
    }
    for (int i = 0; i < total; i++) {
        int score = -negamax(own ^ marks, marks | moves[i], -beta, -alpha);
        if (score >= beta) return score;
        if (score > alpha) alpha = score;
    }
    keys[place] = key, bounds[place] = alpha + 100;
    return alpha;
}

static int solve(board own, board marks) {
    int count = __builtin_popcountll(marks), low = -(H * W - count) / 2, high = (H * W + 1 - count) / 2;
    if ((marks + bottom) & cells & ends(own)) return high;
    while (low < high) {
        int middle = low < 0 && high > 0 ? 0 : low >= 0 ? low + (high - low) / 4 : high - 1 - (high - low) / 4;
        int score = negamax(own, marks, middle, middle + 1);
        if (score <= middle) high = score; else low = score;
    }
    return low;
}

int main(void) {
    char line[100];
    double spent = 0;
    for (int c = 0; c < W; c++) bottom |= (board)1 << c * (H + 1), cells |= column(c);
    while (fgets(line, sizeof line, stdin)) {
        board own = 0, marks = 0;
        for (char *at = line; *at >= '1' && *at <= '7'; at++) {
            board after = marks | (marks + ((board)1 << (*at - '1') * (H + 1)));
            own ^= marks, marks = after;
        }
        clock_t began = clock();
        int score = solve(own, marks);
        spent += (double)(clock() - began) / CLOCKS_PER_SEC;
        printf("%d\n", score);
    }
    printf("%.6f %llu\n", spent, (unsigned long long)nodes);
    return 0;
}
