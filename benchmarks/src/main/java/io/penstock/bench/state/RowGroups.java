package io.penstock.bench.state;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Groups of rows as numbers that can be compared. */
final class RowGroups {
    private static final int NUMBERS = 3;

    private RowGroups() {}

    /** The letters of a symbol as a number, the first one lowest. */
    static double code(final String symbol) {
        long code = 0;
        for (int i = symbol.length() - 1; i >= 0; i--) {
            code = code << Byte.SIZE | symbol.charAt(i);
        }
        return code;
    }

    /** Groups of three numbers each, in the order of the first. */
    static List<Double> sorted(final List<Double> groups) {
        final TreeMap<Double, List<Double>> byCode = new TreeMap<>();
        for (int i = 0; i < groups.size(); i += NUMBERS) {
            byCode.put(groups.get(i), groups.subList(i, i + NUMBERS));
        }
        final List<Double> sorted = new ArrayList<>();
        byCode.values().forEach(sorted::addAll);
        return sorted;
    }
}
