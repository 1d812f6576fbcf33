package io.penstock.standalone.query;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What is typed beside queries; each begins with a dot, and some have other names as well. */
enum Meta {
    TOPICS(".topics", "lists the topics"),
    FIELDS(".fields", "TOPIC: lists the fields that some of its records have"),
    FORMAT(".format", "table, json or csv: how answers are printed"),
    HELP(".help", "says all this", "help"),
    QUIT(".quit", "ends, as quit, exit, \\q and Ctrl-D do", "quit", "exit", "\\q");

    static final List<String> FORMATS = List.of("table", "json", "csv");

    private final String word;
    private final String meaning;

    @SuppressWarnings("ImmutableEnumChecker") // List.of gives what cannot be changed.
    private final List<String> others;

    Meta(final String word, final String meaning, final String... others) {
        this.word = word;
        this.meaning = meaning;
        this.others = List.of(others);
    }

    /** What a word means, or null when it is none of these. */
    static @Nullable Meta find(final String text) {
        final String small = text.toLowerCase(Locale.ROOT);
        for (final Meta each : values()) {
            if (each.word.equals(small) || each.others.contains(small)) {
                return each;
            }
        }
        return null;
    }

    static List<String> names() {
        return List.of(values()).stream().map(each -> each.word).toList();
    }

    String word() {
        return word;
    }

    String meaning() {
        return meaning;
    }
}
