/* Drawing files: lines of a grammar, then damage. */

#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add(struct text *text, const void *bytes, size_t length)
{
    if (text->length + length > text->room) {
        uint8_t *larger = room_for(text->room = 2 * (text->length + length));
        memcpy(larger, text->data, text->length);
        text->data = larger;
    }
    memcpy(text->data + text->length, bytes, length);
    text->length += length;
}

static void add_word(struct text *text, const char *word)
{
    add(text, word, strlen(word));
}

#define PICK(draw, list) ((list)[below((draw), sizeof(list) / sizeof *(list))])

/* Names: letters and digits; beyond ASCII, of two to four bytes, the last code points of each length included. */
static const char *const beyond[] = {"é",           "ß",           "\xc2\x80",       "\u07ff",           "\u0800",  "文",
                                     "\ud7ff",      "\ue000",      "\uffff",       "\U00010000",       "\U0010ffff", "😀",
                                     "\u00a0",      "\u2028",      "\u3000"};
/* what is no UTF-8: bytes that begin nothing, forms that are too long, surrogates, what is cut off, beyond U+10FFFF */
static const char *const broken[] = {"\xff",     "\x80",         "\xc0\xaf",         "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80",
                                     "\xe2\x82", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf8",     "\xc3",         "\xfe"};

size_t draw_name(struct draw *draw, uint8_t *name, size_t longest)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFG0123456789-_./:#";
    size_t length = 0;
    if (!one_in(draw, 3)) /* from a few, so that names come again */
        return (size_t)snprintf((char *)name, longest, "d%zu", below(draw, one_in(draw, 4) ? 1000 : 9));
    size_t wanted = 1 + some_length(draw, one_in(draw, 200) ? longest - 8 : 40);
    while (length < wanted && length + 8 < longest) {
        const char *word = NULL;
        if (one_in(draw, 30))
            word = PICK(draw, beyond);
        else if (one_in(draw, 2000))
            word = PICK(draw, broken);
        if (word) {
            memcpy(name + length, word, strlen(word));
            length += strlen(word);
        } else {
            name[length++] = (uint8_t)letters[below(draw, sizeof letters - 1)];
        }
    }
    return length;
}

/* Digits: a few, or so many that no machine number holds them. */
static void add_digits(struct draw *draw, struct text *text, size_t most)
{
    size_t count = 1 + below(draw, one_in(draw, 300) ? 900 : most);
    int zeros = one_in(draw, 8), nines = one_in(draw, 12);
    while (count--) {
        uint8_t digit = (uint8_t)('0' + (zeros ? 0 : nines ? 9 : below(draw, 10)));
        add(text, &digit, 1);
        if (zeros && one_in(draw, 4))
            zeros = 0;
    }
}

static void add_score(struct draw *draw, struct text *text)
{
    static const char *const odd[] = {
        "0",      "-0",     "0.0",    "-0.0e5", "1e308",   "1.7976931348623157e308", "1.7976931348623159e308", "1e309",   "-1e999",
        "4.9e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "1e-400", "2.2250738585072011e-308", "2.2250738585072014e-308",
        "9007199254740993", "9007199254740992.5", "9007199254740993.0000000000000000000000001", "0.1", "0.30000000000000004",
        "1e22",   "1e23",   "8.5e22", "123456789012345678901234567890", "18446744073709551615", "18446744073709551616", "9999999999999999999",
        "nan",    "inf",    "-Infinity", "1_000", "0x10",  "1e",   "1e+",  ".",     "-",      "+",     ".5",     "5.",   "+.5e-1",
        "1..2",   "1.2.3",  "--1",    "1e5e5",  "1e1.5",   "1,5",  "",     "e5",    "1d5",    "1e99999999999999999999", "1e-99999999999999999999",
        "0e99999", "0.000000000000000000000000000000000000000000000000001", "1000000000000000000000000000e-27",
        "8.5e-23", "7.2057594037927933e16", "179769313486231580793e289", "\xd9\xa1"};
    if (one_in(draw, 12)) {
        add_word(text, PICK(draw, odd));
        return;
    }
    if (one_in(draw, 4))
        add_word(text, one_in(draw, 6) ? "+" : "-");
    add_digits(draw, text, one_in(draw, 4) ? 24 : 3);
    if (!one_in(draw, 4)) {
        add_word(text, ".");
        if (!one_in(draw, 20))
            add_digits(draw, text, one_in(draw, 4) ? 30 : 17);
    }
    if (one_in(draw, 6)) {
        static const char *const signs[] = {"e", "E", "e-", "e+", "E-"};
        add_word(text, PICK(draw, signs));
        add_digits(draw, text, one_in(draw, 20) ? 6 : 2);
    }
}

static void add_grade(struct draw *draw, struct text *text)
{
    static const char *const odd[] = {"127", "128", "-127", "-128", "+1", "01", "0001", "1.0", "0.5", "1/3", "-", "+", "999", "1_0", "-0", "1e0"};
    char number[24];
    if (one_in(draw, 30)) {
        add_word(text, PICK(draw, odd));
        return;
    }
    snprintf(number, sizeof number, "%d", (int)below(draw, 6) - 1);
    add_word(text, number);
}

static void add_gap(struct draw *draw, struct text *text, uint8_t separator)
{
    static const char *const gaps[] = {"  ", "\t", " \t ", "\x0b", "\x0c", "\r", " \r\t", "        ", "\x1c", "\x85", "\xc2\xa0"};
    if (separator && !one_in(draw, 200))
        add(text, &separator, 1);
    else if (one_in(draw, 60))
        add_word(text, PICK(draw, gaps));
    else
        add_word(text, " ");
}

static void add_line(struct draw *draw, struct text *text, const struct shape *shape, const struct text *topic,
                     const struct text *tag)
{
    static uint8_t name[6000];
    size_t columns = strlen(shape->roles), fewer = one_in(draw, 400) ? below(draw, columns + 1) : 0;
    for (size_t column = 0; column + fewer < columns; column++) {
        if (column)
            add_gap(draw, text, shape->separator);
        switch (shape->roles[column]) {
        case 't':
            add(text, topic->data, topic->length);
            break;
        case 'r':
            add(text, tag->data, tag->length);
            break;
        case 'd':
            add(text, name, draw_name(draw, name, sizeof name));
            break;
        case 'v':
            add_score(draw, text);
            break;
        case 'g':
            add_grade(draw, text);
            break;
        default:
            add_word(text, one_in(draw, 50) ? "\xff\xfe" : "Q0");
        }
    }
    if (one_in(draw, 400))
        add_word(text, " more");
    if (one_in(draw, 60))
        add_word(text, " ");
}

static struct text drawn_name(struct draw *draw)
{
    struct text name = {room_for(64), 0, 64};
    name.length = draw_name(draw, name.data, name.room);
    return name;
}

/* Damage: bytes changed, stretches left out, doubled or exchanged, the end cut off. */
static void damage(struct draw *draw, struct text *text)
{
    static const uint8_t bytes[] = {0, ' ', '\t', '\n', '\r', '#', 0x0b, 0x0c, 0x7f, 0x80, 0xff, '-', '+', '.', 'e', '0', '9', '_', 0xef, 0x1c};
    for (size_t times = 1 + below(draw, 4); times && text->length; times--) {
        size_t at = below(draw, text->length), most = text->length - at, length = 1 + below(draw, most < 40 ? most : 40);
        switch (below(draw, 5)) {
        case 0:
            text->data[at] = PICK(draw, bytes);
            break;
        case 1:
            text->data[at] = (uint8_t)bits(draw);
            break;
        case 2:
            memmove(text->data + at, text->data + at + length, most - length);
            text->length -= length;
            break;
        case 3: {
            uint8_t *again = copy_of(text->data + at, length);
            add(text, again, length);
            break;
        }
        default:
            text->length = at;
        }
    }
}

struct text draw_file(struct draw *draw, const struct shape *shape)
{
    struct text text = {room_for(256), 0, 256}, topic = drawn_name(draw), tag = drawn_name(draw);
    const char *ending = one_in(draw, 10) ? "\r\n" : "\n";
    if (one_in(draw, 60))
        add_word(&text, "\xef\xbb\xbf");
    for (size_t lines = some_length(draw, one_in(draw, 20) ? 600 : 60); lines; lines--) {
        if (one_in(draw, 5))
            topic = drawn_name(draw);
        if (one_in(draw, 20))
            tag = drawn_name(draw);
        if (one_in(draw, 60))
            add_word(&text, one_in(draw, 2) ? "# a comment" : one_in(draw, 2) ? " #x" : "  ");
        else
            add_line(draw, &text, shape, &topic, &tag);
        if (lines > 1 || !one_in(draw, 4))
            add_word(&text, one_in(draw, 300) ? "\n\n" : ending);
    }
    if (one_in(draw, 3))
        damage(draw, &text);
    return (struct text){copy_of(text.data, text.length), text.length, text.length};
}
