package io.penstock.standalone.console;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Columns that were asked for: says at the end which ones no row has had, as they may be misspelt. */
final class WantedColumns {
    private static final int OTHERS_MAX = 1000;

    private final String option;
    private final List<String> missing;
    private final Set<String> others = new LinkedHashSet<>();
    private boolean isAnyRow;

    /**
     * Begins.
     *
     * @param option that asked for them.
     * @param names  of columns, or paths in them.
     */
    WantedColumns(final String option, final List<String> names) {
        this.option = option;
        missing = new ArrayList<>(names);
    }

    /** Takes notice of a row. */
    void onRow(final Map<String, Cell> cells) {
        isAnyRow = true;
        if (!missing.isEmpty()) {
            missing.removeIf(name -> cells.containsKey(name) || cells.containsKey(head(name)));
            if (others.size() < OTHERS_MAX) {
                others.addAll(cells.keySet());
            }
        }
    }

    /** Says which ones no row has had, when there were rows. */
    void warn(final PrintWriter err) {
        if (isAnyRow) {
            for (final String name : missing) {
                final List<String> near = Nearest.of(head(name), others);
                err.println(Colour.warning() + " " + option + ": no row has a field of this name: " + name
                        + (near.isEmpty() ? "" : " (did you mean " + String.join(" or ", near) + "?)"));
            }
            err.flush();
        }
    }

    /** The column of a path in it. */
    static String head(final String path) {
        final int dot = path.indexOf('.');
        return dot < 0 ? path : path.substring(0, dot);
    }
}
