package io.penstock.broker.topic;

import io.penstock.format.FieldPath;
import io.penstock.format.FieldPathParser;
import io.penstock.format.MessageFormat;
import java.util.ArrayList;
import java.util.List;

/** Fields whose columns are made ahead, as a configuration names them. */
public final class ColumnNames {
    /** The most fields of a topic: half of the columns that it may have, so that queries of others have room. */
    public static final int COUNT_MAX = 32;

    private static final String SUBJECT = "columns";

    private ColumnNames() {}

    /**
     * Reads a list of fields.
     *
     * @param text   paths as filters write them, with commas between them; empty for none.
     * @param format of the messages.
     * @return paths in their order.
     * @throws IllegalArgumentException when the text is no such list, saying what is wrong.
     */
    public static List<FieldPath> parse(final String text, final MessageFormat format) {
        if (text.isBlank()) {
            return List.of();
        }
        if (!format.hasFields()) {
            throw new IllegalArgumentException(
                    SUBJECT + ": format " + format.name() + " has no fields: " + text + " (leave this out)");
        }
        final FieldPathParser parser = new FieldPathParser(SUBJECT, text);
        final List<FieldPath> paths = new ArrayList<>();
        do {
            final FieldPath path = parser.path();
            if (path.isHeader()) {
                throw new IllegalArgumentException(SUBJECT + ": headers have no columns: " + path + " (leave it out)");
            }
            if (paths.contains(path)) {
                throw new IllegalArgumentException(SUBJECT + ": named twice: " + path + " (name each field once)");
            }
            paths.add(path);
        } while (parser.accept(','));
        if (!parser.isAtEnd()) {
            throw parser.expected("a comma or the end");
        }
        if (paths.size() > COUNT_MAX) {
            throw new IllegalArgumentException(
                    SUBJECT + ": too many fields: " + paths.size() + " (name at most " + COUNT_MAX + ")");
        }
        return List.copyOf(paths);
    }
}
