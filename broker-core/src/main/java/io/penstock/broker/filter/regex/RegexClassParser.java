package io.penstock.broker.filter.regex;

/** Reads the sets of code points in a regular expression: {@code [a-z\d]}, {@code \w}, {@code \p{Lu}}. */
final class RegexClassParser {
    private final RegexReader reader;

    RegexClassParser(final RegexReader reader) {
        this.reader = reader;
    }

    /** Reads from after the opening bracket past the closing one. */
    CodePointSet bracketed(final RegexFlags flags) throws RegexException {
        final CodePointSet set = new CodePointSet(flags.isFolded());
        if (reader.skip('^')) {
            set.negate();
        }
        boolean isFirst = true;
        while (isFirst || reader.peek() != ']') {
            isFirst = false;
            if (!addPosix(set)) {
                addRange(set);
            }
        }
        reader.require(']');
        return set.complete();
    }

    private boolean addPosix(final CodePointSet set) throws RegexException {
        final int start = reader.index();
        if (!reader.skip('[') || !reader.skip(':')) {
            reader.reset(start);
            return false;
        }
        final boolean isNegated = reader.skip('^');
        final StringBuilder name = new StringBuilder();
        while (!reader.isAtEnd() && Character.isLetter(reader.peek())) {
            name.appendCodePoint(reader.next());
        }
        final int[] bounds = UnicodeClasses.posix(name.toString());
        if (!reader.skip(':') || !reader.skip(']')) {
            reader.reset(start);
            return false;
        }
        if (bounds == null) {
            throw reader.refused("no such class of characters");
        }
        add(bounds, isNegated, set);
        return true;
    }

    private static void add(final int[] bounds, final boolean isNegated, final CodePointSet set) {
        if (isNegated) {
            set.addAllBut(bounds);
        } else {
            for (int i = 0; i < bounds.length; i += 2) {
                set.add(bounds[i], bounds[i + 1]);
            }
        }
    }

    private void addRange(final CodePointSet set) throws RegexException {
        int low = reader.next();
        if (low == '\\') {
            final int letter = reader.next();
            if (addEscaped(letter, set)) {
                return;
            }
            low = reader.escaped(letter);
        }
        int high = low;
        final int start = reader.index();
        if (reader.skip('-')) {
            if (reader.peek() == ']') {
                reader.reset(start);
            } else {
                high = reader.next();
                high = high == '\\' ? reader.escaped(reader.next()) : high;
            }
        }
        if (high < low) {
            throw reader.refused("a range that ends before it starts");
        }
        set.add(low, high);
    }

    /** Adds what an escape stands for when that is a set; false when it is one code point, or nothing. */
    boolean addEscaped(final int letter, final CodePointSet set) throws RegexException {
        final int[] bounds = UnicodeClasses.perl(letter);
        if (bounds != null) {
            add(bounds, Character.isUpperCase(letter), set);
            return true;
        }
        if (letter != 'p' && letter != 'P') {
            return false;
        }
        final StringBuilder name = new StringBuilder();
        boolean isNegated = letter == 'P';
        if (reader.skip('{')) {
            isNegated ^= reader.skip('^');
            while (reader.peek() != '}') {
                name.appendCodePoint(reader.next());
            }
            reader.require('}');
        } else {
            name.appendCodePoint(reader.next());
        }
        if (!UnicodeClasses.add(name.toString(), isNegated, set)) {
            throw reader.refused("no such class of characters");
        }
        return true;
    }
}
