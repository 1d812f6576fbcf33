package io.penstock.broker.query;

import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.format.MessageFormat;
import io.penstock.format.json.JsonFormat;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Short ways to run select lists over JSON messages. */
final class Rows {
    static final MessageFormat JSON = new JsonFormat();
    private static final int LENGTH_MAX = 64 * 1024;

    private Rows() {}

    static UnsafeBuffer bytes(final String json) {
        final UnsafeBuffer bytes = new UnsafeBuffer(json.getBytes(StandardCharsets.UTF_8));
        final String mistake = JSON.newValidator().validate(bytes, 0, bytes.capacity());
        if (mistake != null) {
            throw new AssertionError(mistake + ": " + json);
        }
        return bytes;
    }

    static SelectList list(final String select, final String groupBy) {
        return SelectList.parse(select, groupBy, FilterLimits.DEFAULTS);
    }

    static String project(final String select, final String json) {
        final MutableDirectBuffer to = new UnsafeBuffer(new byte[LENGTH_MAX]);
        final UnsafeBuffer message = bytes(json);
        final int length = new Projection(list(select, ""), JSON).project(message, 0, message.capacity(), to, 3, 1000);
        return to.getStringWithoutLengthUtf8(3, length);
    }

    static Aggregation aggregation(final String select, final String groupBy) {
        return new Aggregation(list(select, groupBy), JSON, 1000);
    }

    static boolean add(final Aggregation aggregation, final String json) {
        final UnsafeBuffer message = bytes(json);
        return aggregation.add(message, 0, message.capacity());
    }

    static void remove(final Aggregation aggregation, final String json) {
        final UnsafeBuffer message = bytes(json);
        aggregation.remove(message, 0, message.capacity());
    }

    static List<String> all(final Aggregation aggregation) {
        final List<String> rows = new ArrayList<>();
        aggregation.forEach((key, offset, length, count, row) -> rows.add(text(row)));
        return rows;
    }

    /** Rows of the groups that changed, with their counts; of those that are gone only the key's length. */
    static List<String> changed(final Aggregation aggregation) {
        final List<String> rows = new ArrayList<>();
        aggregation.drainChanged((key, offset, length, count, row) ->
                rows.add(count + " " + (count == 0 ? "gone " + length : text(row))));
        return rows;
    }

    static String text(final GroupRow row) {
        final MutableDirectBuffer to = new UnsafeBuffer(new byte[LENGTH_MAX]);
        return to.getStringWithoutLengthUtf8(5, row.write(to, 5, LENGTH_MAX - 5));
    }
}
