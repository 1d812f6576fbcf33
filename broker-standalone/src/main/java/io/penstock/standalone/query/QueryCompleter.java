package io.penstock.standalone.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;

/** Completes the words of the language, topics after FROM, and elsewhere the fields of the topic. */
final class QueryCompleter implements Completer {
    private static final List<String> WORDS = List.of(
            "SELECT",
            "FROM",
            "WHERE",
            "GROUP BY",
            "HAVING",
            "ORDER BY",
            "LIMIT",
            "OFFSET",
            "AND",
            "OR",
            "NOT",
            "IN",
            "LIKE",
            "BETWEEN",
            "IS NULL",
            "IS NOT NULL",
            "DESC",
            "COUNT(*)",
            "COUNT(DISTINCT ",
            "SUM(",
            "AVG(",
            "MIN(",
            "MAX(");

    private final Supplier<List<String>> topics;
    private final Function<String, List<String>> fields;
    private String lastTopic = "";

    QueryCompleter(final Supplier<List<String>> topics, final Function<String, List<String>> fields) {
        this.topics = topics;
        this.fields = fields;
    }

    @Override
    public void complete(final LineReader reader, final ParsedLine line, final List<Candidate> candidates) {
        for (final String each : words(line.words(), line.wordIndex())) {
            candidates.add(new Candidate(each));
        }
    }

    /** What may stand at a place among words; the reader chooses those that begin as the word does. */
    List<String> words(final List<String> words, final int index) {
        if (index == 0) {
            final List<String> first = new ArrayList<>(List.of("SELECT", "FROM"));
            first.addAll(Meta.names());
            return first;
        }
        final String before = words.get(index - 1).toUpperCase(Locale.ROOT);
        if (before.equals("FROM") || before.equals(".FIELDS")) {
            return topics.get();
        }
        if (words.get(0).startsWith(".")) {
            return before.equals(".FORMAT") ? Meta.FORMATS : List.of();
        }
        final List<String> found = new ArrayList<>(fields.apply(topic(words)));
        found.addAll(WORDS);
        return found;
    }

    /** The topic of the line, or before it is named the one of the line before. */
    private String topic(final List<String> words) {
        for (int i = 0; i + 1 < words.size(); i++) {
            if (words.get(i).equalsIgnoreCase("FROM") && !words.get(i + 1).isEmpty()) {
                lastTopic = words.get(i + 1);
            }
        }
        return lastTopic;
    }
}
