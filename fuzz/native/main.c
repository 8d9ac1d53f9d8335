/* Runs one target for some seconds: fuzz TARGET SEED SECONDS FOLDER, or one case of it: fuzz TARGET SEED - FOLDER CASE.

   Prints "TARGET tried differences seconds", separated by tabs. A report of a sanitizer, or a case that takes longer than
   half a minute, ends the program with the case in the same line. */

#include "fuzz.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const struct target {
    const char *name;
    void (*try)(struct draw *draw);
} targets[] = {
    {"reader", try_reader}, {"portable", try_reader}, {"truncations", try_truncations},
    {"lookup", try_lookup}, {"ranking", try_ranking},
};

static const struct target *target;
static const char *folder;
static uint64_t seed, current;
static size_t differences;
static int failed_now;
static const uint8_t *shown;
static size_t shown_length;

/* Random numbers: splitmix64. */
uint64_t bits(struct draw *draw)
{
    uint64_t z = (draw->state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

size_t below(struct draw *draw, size_t limit)
{
    return limit ? (size_t)(bits(draw) % limit) : 0;
}

int one_in(struct draw *draw, size_t many)
{
    return below(draw, many) == 0;
}

size_t some_length(struct draw *draw, size_t longest)
{
    size_t most = one_in(draw, 8) ? longest : longest / 16;
    return below(draw, most + 1);
}

/* Memory: every piece is remembered until the case is over. */
static struct piece {
    void *memory;
    struct piece *before;
} *pieces;

void *room_for(size_t bytes)
{
    struct piece *piece = malloc(sizeof *piece);
    void *memory = malloc(bytes);
    if (!piece || !memory) {
        fputs("there is no memory left\n", stderr);
        exit(2);
    }
    memset(memory, 0xA5, bytes);
    *piece = (struct piece){memory, pieces};
    pieces = piece;
    return memory;
}

void *copy_of(const void *memory, size_t bytes)
{
    void *copy = room_for(bytes);
    if (bytes)
        memcpy(copy, memory, bytes);
    return copy;
}

static void give_back(void)
{
    while (pieces) {
        struct piece *before = pieces->before;
        free(pieces->memory);
        free(pieces);
        pieces = before;
    }
}

void show_text(const uint8_t *text, size_t length)
{
    shown = text;
    shown_length = length;
}

/* Write the text of a case to a file, and how to try the case again. */
static void keep(const char *why)
{
    char path[4096];
    if (!target)
        return;
    fprintf(stderr, "%s: %s; try it again: make fuzz TARGET=%s SEED=%llu CASE=%llu\n", target->name, why, target->name,
            (unsigned long long)seed, (unsigned long long)current);
    if (!shown)
        return;
    snprintf(path, sizeof path, "%s/%s-%llu-%llu", folder, target->name, (unsigned long long)seed,
             (unsigned long long)current);
    FILE *file = fopen(path, "wb");
    if (file && fwrite(shown, 1, shown_length, file) == shown_length)
        fprintf(stderr, "  its text: %s\n", path);
    if (file)
        fclose(file);
}

void differ(const char *file, int line, const char *what)
{
    char why[1000];
    snprintf(why, sizeof why, "%s:%d does not hold: %s", file, line, what);
    if (!failed_now && differences++ < 5)
        keep(why);
    failed_now = 1;
}

/* Called by the sanitizers before they end the program. */
void __sanitizer_set_death_callback(void (*callback)(void));

static void on_death(void)
{
    keep("a sanitizer stopped it");
    printf("%s\t%llu\t%zu\t0\n", target ? target->name : "", (unsigned long long)current + 1, differences);
    fflush(stdout);
}

static void on_alarm(int number)
{
    (void)number;
    keep("it does not end");
    _exit(3);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void try_case(uint64_t number)
{
    struct draw draw = {seed};
    draw.state = bits(&draw) ^ number * UINT64_C(0xD6E8FEB86659FD93);
    current = number;
    failed_now = 0;
    shown = NULL;
    alarm(30);
    target->try(&draw);
    give_back();
}

int main(int count, char **arguments)
{
    if (count < 5) {
        fputs("fuzz TARGET SEED SECONDS FOLDER [CASE]\n", stderr);
        return 2;
    }
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        if (!strcmp(arguments[1], targets[i].name))
            target = &targets[i];
    if (!target) {
        fprintf(stderr, "there is no target %s\n", arguments[1]);
        return 2;
    }
    seed = strtoull(arguments[2], NULL, 10);
    double seconds = strtod(arguments[3], NULL), begin = now();
    folder = arguments[4];
    __sanitizer_set_death_callback(on_death);
    signal(SIGALRM, on_alarm);
    uint64_t tried = 0;
    if (count > 5) {
        try_case(strtoull(arguments[5], NULL, 10));
        tried = 1;
    } else {
        do {
            for (int i = 0; i < 100; i++)
                try_case(tried++);
        } while (now() - begin < seconds);
    }
    printf("%s\t%llu\t%zu\t%.1f\n", target->name, (unsigned long long)tried, differences, now() - begin);
    return differences ? 1 : 0;
}
