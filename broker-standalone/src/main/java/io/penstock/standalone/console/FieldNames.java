package io.penstock.standalone.console;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The fields of a JSON object as filters name them. */
public final class FieldNames {
    private static final int DEPTH_MAX = 4;
    private static final int COUNT_MAX = 500;

    private FieldNames() {}

    /**
     * Names the fields.
     *
     * @param json an object.
     * @return {@code price}, and of objects within it {@code /order/id}; none when it is no object.
     */
    public static List<String> of(final String json) {
        final List<String> names = new ArrayList<>();
        if (json.stripLeading().startsWith("{")) {
            add(names, "", json, 0);
        }
        return names;
    }

    private static void add(final List<String> names, final String path, final String json, final int depth) {
        for (final Map.Entry<String, Cell> each : Cell.of(json).entrySet()) {
            if (names.size() >= COUNT_MAX) {
                return;
            }
            final String name = path.isEmpty() && depth == 0 ? each.getKey() : path + "/" + each.getKey();
            final String value = each.getValue().text();
            if (value.startsWith("{") && depth < DEPTH_MAX) {
                add(names, depth == 0 ? "/" + each.getKey() : name, value, depth + 1);
            } else {
                names.add(name);
            }
        }
    }
}
