package io.penstock.standalone.query;

import io.penstock.client.SowRequest;
import io.penstock.standalone.CommandFailure;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A query as it is typed: {@code SELECT items FROM topic WHERE condition GROUP BY fields HAVING condition ORDER BY fields LIMIT
 * n OFFSET n}. What stands between the words is the broker's language; all but the topic may be left out.
 *
 * @param topic   that is asked.
 * @param select  items, or empty for whole records.
 * @param filter  or empty for all records.
 * @param groupBy fields, or empty.
 * @param having  condition of groups, or empty.
 * @param orderBy fields, or empty.
 * @param top     most rows; -1 for all.
 * @param skip    rows to leave out first.
 */
record Statement(
        String topic, String select, String filter, String groupBy, String having, String orderBy, int top, int skip) {
    private static final String FORM =
            "use SELECT … FROM topic WHERE … GROUP BY … HAVING … ORDER BY … LIMIT n OFFSET n";

    /** A text, or a name, in quotes; a parenthesis; or a word. */
    private static final Pattern PART = Pattern.compile("'(?:[^']++|'')*+'|\"[^\"]*\"|[()]|[^\\s()'\"]+|\\s+|['\"]");

    /** The words between parts, in their order. */
    private enum Word {
        SELECT,
        FROM,
        WHERE,
        GROUP,
        HAVING,
        ORDER,
        LIMIT,
        OFFSET;

        private static @Nullable Word of(final String text) {
            for (final Word each : values()) {
                if (each.name().equals(text.toUpperCase(Locale.ROOT))) {
                    return each;
                }
            }
            return null;
        }
    }

    /**
     * Reads a statement.
     *
     * @param text with or without a semicolon at its end.
     * @throws CommandFailure when it is none.
     */
    static Statement parse(final String text) {
        final Map<Word, StringBuilder> parts = split(text.strip().replaceFirst(";$", ""));
        final String topic = part(parts, Word.FROM);
        if (topic.isEmpty()) {
            throw CommandFailure.badInput("query: names no topic: " + text + " (" + FORM + ")");
        }
        if (!topic.matches("\"[^\"]*\"|\\S+")) {
            throw CommandFailure.badInput("query: not one topic: " + topic + " (" + FORM + ")");
        }
        final String select = part(parts, Word.SELECT);
        final int skip = number(parts, Word.OFFSET, 0);
        return new Statement(
                topic.replaceFirst("^\"(.*)\"$", "$1"),
                select.equals("*") ? "" : select,
                part(parts, Word.WHERE),
                by(parts, Word.GROUP),
                part(parts, Word.HAVING),
                by(parts, Word.ORDER),
                number(parts, Word.LIMIT, -1),
                skip);
    }

    SowRequest request() {
        return SowRequest.topic(topic)
                .filter(filter)
                .select(select)
                .groupBy(groupBy)
                .having(having)
                .orderBy(orderBy)
                .top(top)
                .skip(skip);
    }

    private static Map<Word, StringBuilder> split(final String text) {
        final Map<Word, StringBuilder> parts = new EnumMap<>(Word.class);
        @Nullable StringBuilder present = null;
        int depth = 0;
        Word last = null;
        for (final String each : pieces(text)) {
            depth += each.equals("(") ? 1 : each.equals(")") ? -1 : 0;
            final Word word = depth == 0 ? Word.of(each) : null;
            if (word != null) {
                if (last != null && word.compareTo(last) <= 0) {
                    throw CommandFailure.badInput(
                            "query: " + word + " after " + last + ": " + text + " (" + FORM + ")");
                }
                last = word;
                present = new StringBuilder();
                parts.put(word, present);
            } else if (present != null) {
                present.append(each);
            } else if (!each.isBlank()) {
                throw CommandFailure.badInput("query: does not begin with SELECT or FROM: " + text + " (" + FORM + ")");
            }
        }
        return parts;
    }

    private static List<String> pieces(final String text) {
        final List<String> pieces = new ArrayList<>();
        final Matcher matcher = PART.matcher(text);
        while (matcher.find()) {
            if (matcher.group().equals("'") || matcher.group().equals("\"")) {
                throw CommandFailure.badInput("query: a text begins and does not end: "
                        + text.substring(matcher.start()) + " (add a " + matcher.group() + ")");
            }
            pieces.add(matcher.group());
        }
        return pieces;
    }

    private static String part(final Map<Word, StringBuilder> parts, final Word word) {
        final StringBuilder part = parts.get(word);
        if (part == null) {
            return "";
        }
        final String text = part.toString().strip();
        if (text.isEmpty()) {
            throw CommandFailure.badInput("query: nothing after " + word + " (" + FORM + ")");
        }
        return text;
    }

    private static String by(final Map<Word, StringBuilder> parts, final Word word) {
        final String text = part(parts, word);
        if (text.isEmpty()) {
            return text;
        }
        final Matcher matcher =
                Pattern.compile("(?i)BY\\s+(.+)", Pattern.DOTALL).matcher(text);
        if (!matcher.matches()) {
            throw CommandFailure.badInput("query: no fields after " + word + " BY: " + text + " (" + FORM + ")");
        }
        return matcher.group(1);
    }

    private static int number(final Map<Word, StringBuilder> parts, final Word word, final int missing) {
        final String text = part(parts, word);
        if (text.isEmpty()) {
            return missing;
        }
        if (!text.matches("[0-9]{1,9}")) {
            throw CommandFailure.badInput("query: " + word + ": not a number: " + text + " (use for example 10)");
        }
        return Integer.parseInt(text);
    }
}
