package io.penstock.broker.filter.regex;

import java.lang.Character.UnicodeScript;
import java.util.ArrayList;
import java.util.List;

/**
 * A set of code points: ranges, general categories and scripts of Unicode, perhaps without regard to case, perhaps all
 * others. Categories and case are looked up when a code point is tested, for spelling them out would take a million
 * steps.
 */
final class CodePointSet {
    private static final int ASCII_COUNT = 128;
    private static final int ALL_CATEGORIES = -1;

    private final List<int[]> ranges = new ArrayList<>();
    private final List<ScriptTest> scripts = new ArrayList<>();
    private final boolean isFolded;
    private boolean isNegated;
    private int categories;
    private long lowAscii;
    private long highAscii;

    /** Starts empty. */
    CodePointSet(final boolean isFolded) {
        this.isFolded = isFolded;
    }

    static CodePointSet of(final int point, final boolean isFolded) {
        final CodePointSet set = new CodePointSet(isFolded);
        set.add(point, point);
        return set.complete();
    }

    void add(final int first, final int last) {
        ranges.add(new int[] {first, last});
        if (isFolded && first == last) {
            addCases(first);
        }
    }

    /** Adds the other cases of a code point, and those that share its capital: s goes with the long s. */
    private void addCases(final int point) {
        final int upper = Character.toUpperCase(point);
        final int lower = Character.toLowerCase(upper);
        ranges.add(new int[] {upper, upper});
        ranges.add(new int[] {lower, lower});
    }

    /** Adds all but what lies between bounds that are given in pairs, in order. */
    void addAllBut(final int... bounds) {
        int first = 0;
        for (int i = 0; i < bounds.length; i += 2) {
            if (bounds[i] > first) {
                add(first, bounds[i] - 1);
            }
            first = bounds[i + 1] + 1;
        }
        add(first, Integer.MAX_VALUE);
    }

    /** Adds general categories, or all others. */
    void addCategories(final int mask, final boolean areOthers) {
        categories |= areOthers ? ALL_CATEGORIES & ~mask : mask;
    }

    void addScript(final UnicodeScript script, final boolean isOthers) {
        scripts.add(new ScriptTest(script, isOthers));
    }

    void negate() {
        isNegated = true;
    }

    /** Ends the building of the set. */
    CodePointSet complete() {
        for (int point = 0; point < ASCII_COUNT; point++) {
            if (has(point)) {
                if (point < Long.SIZE) {
                    lowAscii |= 1L << point;
                } else {
                    highAscii |= 1L << point;
                }
            }
        }
        return this;
    }

    boolean contains(final int point) {
        if (point < ASCII_COUNT) {
            return ((point < Long.SIZE ? lowAscii : highAscii) >>> point & 1) != 0;
        }
        return has(point);
    }

    private boolean has(final int point) {
        final boolean isListed = isListed(point)
                || (isFolded && (isListed(Character.toLowerCase(point)) || isListed(Character.toUpperCase(point))));
        return isListed != isNegated;
    }

    private boolean isListed(final int point) {
        if ((categories >>> Character.getType(point) & 1) != 0) {
            return true;
        }
        for (int i = 0; i < ranges.size(); i++) {
            final int[] range = ranges.get(i);
            if (point >= range[0] && point <= range[1]) {
                return true;
            }
        }
        for (int i = 0; i < scripts.size(); i++) {
            if (scripts.get(i).contains(point)) {
                return true;
            }
        }
        return false;
    }

    private record ScriptTest(UnicodeScript script, boolean isOthers) {
        boolean contains(final int point) {
            return (Character.isValidCodePoint(point) && UnicodeScript.of(point) == script) != isOthers;
        }
    }
}
