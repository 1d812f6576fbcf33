package io.penstock.broker.security.user;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Words of a line: apart by spaces; a value with spaces in it stands in quotes. */
final class Words {
    private Words() {}

    /** Null when a quote is not closed, or something follows it. */
    static @Nullable List<String> of(final String line) {
        final List<String> words = new ArrayList<>();
        final StringBuilder word = new StringBuilder();
        boolean isWord = false;
        boolean isQuoted = false;
        for (int i = 0; i < line.length(); i++) {
            final char c = line.charAt(i);
            if (isQuoted && c == '\\' && i + 1 < line.length()) {
                word.append(line.charAt(++i));
            } else if (c == '"') {
                isQuoted = !isQuoted;
                isWord = true;
            } else if (!isQuoted && (c == ' ' || c == '\t')) {
                if (isWord) {
                    words.add(word.toString());
                    word.setLength(0);
                    isWord = false;
                }
            } else {
                word.append(c);
                isWord = true;
            }
        }
        if (isWord) {
            words.add(word.toString());
        }
        return isQuoted ? null : words;
    }

    /** A value as it stands in a line. */
    static String quoted(final String value) {
        final boolean isPlain = !value.isEmpty()
                && value.chars().noneMatch(c -> c == ' ' || c == '\t' || c == '"' || c == '\\' || c == '#');
        return isPlain ? value : '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
