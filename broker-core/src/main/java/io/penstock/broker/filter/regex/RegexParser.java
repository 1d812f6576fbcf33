package io.penstock.broker.filter.regex;

import io.penstock.broker.filter.regex.RegexNode.At;
import io.penstock.broker.filter.regex.RegexNode.Choice;
import io.penstock.broker.filter.regex.RegexNode.OneOf;
import io.penstock.broker.filter.regex.RegexNode.Place;
import io.penstock.broker.filter.regex.RegexNode.Repeat;
import io.penstock.broker.filter.regex.RegexNode.Sequence;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a regular expression in the syntax of RE2, which has nothing that cannot be matched in linear time. */
public final class RegexParser {
    static final int REPEAT_COUNT_MAX = 1000;
    private static final int DEPTH_MAX = 100;

    private final RegexReader reader;
    private final RegexClassParser classes;
    private RegexFlags flags = RegexFlags.NONE;
    private int depth;

    private RegexParser(final String pattern) {
        reader = new RegexReader(pattern);
        classes = new RegexClassParser(reader);
    }

    public static RegexNode parse(final String pattern) throws RegexException {
        final RegexParser parser = new RegexParser(pattern);
        final RegexNode node = parser.choice();
        if (!parser.reader.isAtEnd()) {
            throw parser.reader.refused("a closing bracket with no opening one");
        }
        return node;
    }

    private RegexNode choice() throws RegexException {
        depth++;
        if (depth > DEPTH_MAX) {
            throw reader.refused("nested deeper than " + DEPTH_MAX);
        }
        final RegexFlags outerFlags = flags;
        final List<RegexNode> parts = new ArrayList<>();
        parts.add(sequence());
        while (reader.skip('|')) {
            parts.add(sequence());
        }
        flags = outerFlags;
        depth--;
        return parts.size() == 1 ? parts.get(0) : new Choice(parts);
    }

    private RegexNode sequence() throws RegexException {
        final List<RegexNode> parts = new ArrayList<>();
        while (!reader.isAtEnd() && reader.peek() != '|' && reader.peek() != ')') {
            final RegexNode part = reader.skip("\\Q") ? quoted(parts) : part();
            if (part != null) {
                parts.add(repeated(part));
            }
        }
        return parts.size() == 1 ? parts.get(0) : new Sequence(parts);
    }

    /** One part without its repetition; null when it was only flags. */
    private @Nullable RegexNode part() throws RegexException {
        final int point = reader.next();
        return switch (point) {
            case '(' -> group();
            case '[' -> new OneOf(classes.bracketed(flags));
            case '.' -> new OneOf(anyPoint());
            case '^' -> new At(flags.isMultiLine() ? Place.LINE_START : Place.TEXT_START);
            case '$' -> new At(flags.isMultiLine() ? Place.LINE_END : Place.TEXT_END);
            case '*', '+', '?' -> throw reader.refused("nothing to repeat");
            case '\\' -> escape();
            default -> literal(point);
        };
    }

    private RegexNode literal(final int point) {
        return new OneOf(CodePointSet.of(point, flags.isFolded()));
    }

    private CodePointSet anyPoint() {
        final CodePointSet set = new CodePointSet(false);
        if (flags.isDotAll()) {
            set.add(0, Integer.MAX_VALUE);
        } else {
            set.addAllBut('\n', '\n');
        }
        return set.complete();
    }

    private @Nullable RegexNode group() throws RegexException {
        if (reader.skip('?')) {
            if (reader.peek() == 'P' || reader.peek() == '<') {
                reader.groupName();
            } else {
                final RegexFlags outerFlags = flags;
                flags = flags.read(reader);
                if (reader.skip(')')) {
                    return null;
                }
                reader.require(':');
                final RegexNode inner = closed();
                flags = outerFlags;
                return inner;
            }
        }
        return closed();
    }

    private RegexNode closed() throws RegexException {
        final RegexNode inner = choice();
        reader.require(')');
        return inner;
    }

    private RegexNode escape() throws RegexException {
        final int point = reader.next();
        return switch (point) {
            case 'A' -> new At(Place.TEXT_START);
            case 'z' -> new At(Place.TEXT_END);
            case 'b' -> new At(Place.WORD_BOUNDARY);
            case 'B' -> new At(Place.NO_WORD_BOUNDARY);
            default -> escapedPoint(point);
        };
    }

    private RegexNode escapedPoint(final int letter) throws RegexException {
        final CodePointSet set = new CodePointSet(flags.isFolded());
        if (!classes.addEscaped(letter, set)) {
            return literal(reader.escaped(letter));
        }
        return new OneOf(set.complete());
    }

    /** Reads up to {@code \\E}, adds all but the last to the parts and returns that one, which may be repeated. */
    private @Nullable RegexNode quoted(final List<RegexNode> parts) throws RegexException {
        RegexNode last = null;
        while (!reader.isAtEnd() && !reader.skip("\\E")) {
            if (last != null) {
                parts.add(last);
            }
            last = literal(reader.next());
        }
        return last;
    }

    private RegexNode repeated(final RegexNode part) throws RegexException {
        final RegexNode result;
        if (reader.skip('*')) {
            result = new Repeat(part, 0, Repeat.UNLIMITED);
        } else if (reader.skip('+')) {
            result = new Repeat(part, 1, Repeat.UNLIMITED);
        } else if (reader.skip('?')) {
            result = new Repeat(part, 0, 1);
        } else {
            final int[] counts = reader.counts();
            if (counts == null) {
                return part;
            }
            result = counted(part, counts);
        }
        // Which of several matches is preferred makes no difference to whether there is one.
        reader.skip('?');
        if (reader.skip('*') || reader.skip('+') || reader.skip('?') || reader.counts() != null) {
            throw reader.refused("a repetition of a repetition (use brackets)");
        }
        return result;
    }

    private RegexNode counted(final RegexNode part, final int[] counts) throws RegexException {
        final int countMin = counts[0];
        final int countMax = counts[1];
        if (countMin > REPEAT_COUNT_MAX || countMax > REPEAT_COUNT_MAX) {
            throw reader.refused("repeated more than " + REPEAT_COUNT_MAX + " times");
        }
        if (countMax != Repeat.UNLIMITED && countMax < countMin) {
            throw reader.refused("repeated at most less than at least");
        }
        return new Repeat(part, countMin, countMax);
    }
}
