/* The baseline of the engine layered: the same design in plain C, one thread, any moves, play ends at a line.
 *
 *   layered MODE CELLS LINES GROUP  < numbers
 *
 * MODE is choices or labelled. Standard input holds LINES masks, then GROUP permutations of CELLS cells, the identity
 * first. Prints for each ply: position classes, finished classes, paths, finished games. Weights are 128-bit, stored in
 * 64 bits as long as their sum fits, which is checked.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t mask;
typedef unsigned __int128 wide;

static int cells, line_count, order, chunks, distinct;
static mask full, *lines, *images;
static uint16_t *lead_table;

static inline mask image(int element, mask set) {
    mask result = 0;
    const mask *table = images + (size_t)element * chunks * 256;
    for (int j = 0; j < chunks; j++, set >>= 8) result |= table[j * 256 + (set & 255)];
    return result;
}

static inline mask completing(mask own, mask blank) {
    mask found = 0;
    for (int j = 0; j < line_count; j++) {
        mask missing = lines[j] & ~own;
        if (missing && !(missing & (missing - 1))) found |= missing & blank;
    }
    return found;
}

/* The scratch table of one group. */
static struct {
    mask key;
    int64_t stamp;
    uint64_t weight, unused;
} *table;
static int64_t *slots;
static uint8_t *won;
static size_t capacity;

static inline size_t find_slot(mask key, int64_t first) {
    uint64_t mixed = (key & 0xFFFFFFFF) * 0x9E3779B1u ^ (key >> 32) * 0x85EBCA77u;
    size_t slot = (mixed ^ mixed >> 29) & (capacity - 1);
    while (table[slot].stamp >= first && table[slot].key != key) slot = (slot + 1) & (capacity - 1);
    return slot;
}

static void reserve(size_t children) {
    size_t wanted = 16;
    while (wanted < 2 * children) wanted *= 2;
    if (wanted <= capacity) return;
    free(table), free(slots), free(won);
    table = calloc(wanted, sizeof *table);
    slots = malloc(wanted * sizeof *slots), won = malloc(wanted);
    capacity = wanted;
}

typedef struct {
    size_t classes, groups;
    mask *leads, *others; /* one lead for each group, one of the others for each class */
    size_t *offsets;
    uint64_t *weights;
} layer;

typedef struct {
    size_t count, room;
    mask *leads, *others;
    uint64_t *weights;
} rows;

static rows new_rows(size_t room) {
    return (rows){0, room, malloc(room * 8 + 8), malloc(room * 8 + 8), malloc(room * 8 + 8)};
}

static void free_rows(rows *r) { free(r->leads), free(r->others), free(r->weights); }

static void grow(rows *r, size_t more) {
    if (r->count + more <= r->room) return;
    r->room = (r->count + more) * 3 / 2;
    r->leads = realloc(r->leads, r->room * 8);
    r->others = realloc(r->others, r->room * 8);
    r->weights = realloc(r->weights, r->room * 8);
}

static void fill_lead_table(int size, const int *inverse) {
    for (mask set = ((mask)1 << size) - 1; set < (mask)1 << cells;) {
        if (lead_table[set] == 65535)
            for (int g = 0; g < order; g++) {
                mask other = image(g, set);
                if (lead_table[other] == 65535) lead_table[other] = inverse[g];
            }
        if (!set) break;
        mask low = set & -set, carried = set + low;
        set = carried | (set ^ carried) / low >> 2;
    }
}

static rows radix(rows from, int bits) {
    int passes = (bits + 10) / 11, width = (bits + passes - 1) / passes;
    mask digit = ((mask)1 << width) - 1;
    size_t *places = malloc((digit + 1) * sizeof *places);
    for (int pass = 0; pass < passes; pass++) {
        int shift = pass * width;
        rows to = new_rows(from.count);
        memset(places, 0, (digit + 1) * sizeof *places);
        for (size_t i = 0; i < from.count; i++) places[from.leads[i] >> shift & digit]++;
        size_t before = 0;
        for (mask d = 0; d <= digit; d++) {
            size_t here = places[d];
            places[d] = before, before += here;
        }
        for (size_t i = 0; i < from.count; i++) {
            size_t at = places[from.leads[i] >> shift & digit]++;
            to.leads[at] = from.leads[i], to.others[at] = from.others[i], to.weights[at] = from.weights[i];
        }
        to.count = from.count;
        free_rows(&from);
        from = to;
    }
    free(places);
    return from;
}

static layer group_rows(rows r) {
    size_t groups = 0;
    for (size_t i = 0; i < r.count; i++) groups += i == 0 || r.leads[i] != r.leads[i - 1];
    layer l = {r.count, groups, malloc(groups * 8 + 8), r.others, malloc((groups + 1) * sizeof(size_t)), r.weights};
    groups = 0;
    for (size_t i = 0; i < r.count; i++)
        if (i == 0 || r.leads[i] != r.leads[i - 1]) l.leads[groups] = r.leads[i], l.offsets[groups++] = i;
    l.offsets[groups] = r.count;
    free(r.leads);
    return l;
}

static void print_wide(wide number) {
    char text[48], *at = text + 47;
    *at = 0;
    do *--at = '0' + (int)(number % 10), number /= 10;
    while (number);
    printf(" %s", at);
}

int main(int argc, char **argv) {
    if (argc != 5) return 2;
    distinct = !strcmp(argv[1], "choices");
    cells = atoi(argv[2]), line_count = atoi(argv[3]), order = atoi(argv[4]);
    full = cells == 64 ? ~(mask)0 : ((mask)1 << cells) - 1, chunks = (cells + 7) / 8;
    lines = malloc(line_count * 8 + 8);
    for (int j = 0; j < line_count; j++)
        if (scanf("%lu", &lines[j]) != 1) return 2;
    int *group = malloc((size_t)order * cells * sizeof(int)), *inverse = malloc(order * sizeof(int));
    for (int i = 0; i < order * cells; i++)
        if (scanf("%d", &group[i]) != 1) return 2;
    images = calloc((size_t)order * chunks * 256, 8);
    for (int g = 0; g < order; g++)
        for (int j = 0; j < chunks; j++)
            for (int b = 0; b < 256; b++)
                for (int i = 0; i < 8 && 8 * j + i < cells; i++)
                    if (b >> i & 1) images[((size_t)g * chunks + j) * 256 + b] |= (mask)1 << group[g * cells + 8 * j + i];
    for (int g = 0; g < order; g++)
        for (int h = 0; h < order; h++) {
            int i = 0;
            while (i < cells && group[h * cells + group[g * cells + i]] == i) i++;
            if (i == cells) inverse[g] = h;
        }
    lead_table = malloc(((size_t)1 << cells) * 2);
    memset(lead_table, 255, ((size_t)1 << cells) * 2);
    int *kept = malloc(order * sizeof(int));

    rows start = new_rows(1);
    start.count = 1, start.leads[0] = start.others[0] = 0, start.weights[0] = 1;
    layer now = group_rows(start);
    size_t children = 0;
    printf("0 1 0 1 0\n");
    double expanding = 0, sorting = 0;
    for (int ply = 0; ply < cells && now.classes; ply++) {
        clock_t began = clock();
        fill_lead_table(ply / 2 + 1, inverse);
        rows next = new_rows(now.classes);
        size_t classes = 0, finished = 0;
        wide paths = 0, games = 0;
        int final = ply + 1 == cells;
        for (size_t g = 0; g < now.groups; g++) {
            mask lead = now.leads[g];
            size_t members = now.offsets[g + 1] - now.offsets[g], count = 0;
            reserve(members * (cells - ply));
            grow(&next, members * (cells - ply));
            int keeping = 0;
            for (int e = 0; e < order; e++)
                if (image(e, lead) == lead) kept[keeping++] = e;
            static int64_t stamp = 0;
            int64_t first = ++stamp;
            for (size_t i = now.offsets[g]; i < now.offsets[g + 1]; i++) {
                mask own = now.others[i], blank = full & ~(lead | own), wins = completing(own, blank);
                stamp++;
                for (mask moves = blank; moves;) {
                    mask rest = moves & (moves - 1), bit = moves ^ rest, key = own | bit;
                    moves = rest;
                    children++;
                    for (int e = 1; e < keeping; e++) {
                        mask other = image(kept[e], own | bit);
                        if (other < key) key = other;
                    }
                    size_t slot = find_slot(key, first);
                    if (table[slot].stamp < first)
                        table[slot].key = key, table[slot].weight = 0, won[slot] = (bit & wins) != 0, slots[count++] = slot;
                    else if (distinct && table[slot].stamp == stamp)
                        continue;
                    table[slot].stamp = stamp;
                    table[slot].weight += now.weights[i];
                }
            }
            classes += count;
            for (size_t j = 0; j < count; j++) {
                size_t slot = slots[j];
                paths += table[slot].weight;
                if (won[slot] || final) {
                    finished++, games += table[slot].weight;
                    continue;
                }
                int element = lead_table[table[slot].key];
                next.leads[next.count] = image(element, table[slot].key);
                next.others[next.count] = image(element, lead);
                next.weights[next.count++] = table[slot].weight;
            }
        }
        if (paths >> 63) return 1;
        printf("%d %zu %zu", ply + 1, classes, finished);
        print_wide(paths), print_wide(games), printf("\n");
        free(now.leads), free(now.others), free(now.offsets), free(now.weights);
        clock_t expanded = clock();
        now = group_rows(radix(next, cells));
        expanding += (double)(expanded - began) / CLOCKS_PER_SEC;
        sorting += (double)(clock() - expanded) / CLOCKS_PER_SEC;
    }
    fprintf(stderr, "%zu %.3f %.3f\n", children, expanding, sorting);
    return 0;
}
