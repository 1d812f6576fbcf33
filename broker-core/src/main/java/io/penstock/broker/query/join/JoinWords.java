package io.penstock.broker.query.join;

/** Reads the words of a join's text: between white space, or in double quotes, in which two are one. Confined to one caller. */
final class JoinWords {
    private final String text;
    private int index;

    JoinWords(final String text) {
        this.text = text;
    }

    private void skipSpace() {
        while (index < text.length() && Character.isWhitespace(text.charAt(index))) {
            index++;
        }
    }

    /** Passes a word that stands next, in any case. Returns whether it stood there. */
    boolean accept(final String word) {
        skipSpace();
        final int end = index + word.length();
        final boolean isThere = text.regionMatches(true, index, word, 0, word.length())
                && (end == text.length() || Character.isWhitespace(text.charAt(end)));
        if (isThere) {
            index = end;
        }
        return isThere;
    }

    /** Passes a name; empty when none stands next, or its quotes do not end. */
    String name() {
        skipSpace();
        return index < text.length() && text.charAt(index) == '"' ? quoted() : word();
    }

    private String word() {
        final int start = index;
        while (index < text.length() && !Character.isWhitespace(text.charAt(index))) {
            index++;
        }
        return text.substring(start, index);
    }

    private String quoted() {
        final StringBuilder name = new StringBuilder();
        for (index++; index < text.length(); index++) {
            final char next = text.charAt(index);
            if (next != '"') {
                name.append(next);
            } else if (index + 1 < text.length() && text.charAt(index + 1) == '"') {
                name.append(next);
                index++;
            } else {
                index++;
                return name.toString();
            }
        }
        return "";
    }

    /** What is left. */
    String rest() {
        return text.substring(index).strip();
    }
}
