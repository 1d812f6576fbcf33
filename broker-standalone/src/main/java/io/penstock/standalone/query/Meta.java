package io.penstock.standalone.query;

import java.util.List;

/** What is typed beside queries; each begins with a dot. */
enum Meta {
    TOPICS(".topics", "lists the topics"),
    FIELDS(".fields", "TOPIC: lists the fields that some of its records have"),
    FORMAT(".format", "table, json or csv: how answers are printed"),
    HELP(".help", "says all this"),
    QUIT(".quit", "ends, as Ctrl-D does");

    static final List<String> FORMATS = List.of("table", "json", "csv");

    private final String word;
    private final String meaning;

    Meta(final String word, final String meaning) {
        this.word = word;
        this.meaning = meaning;
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
