package io.penstock.broker.event;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An event, for the operator.
 *
 * @param kind   of event.
 * @param timeMs when, in milliseconds since 1970.
 * @param values by key, in the order in which they are written: texts, numbers and booleans. Texts may come from peers:
 *               they are as the peers sent them, however long.
 */
public record Event(EventKind kind, long timeMs, Map<String, Object> values) {
    public Event {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /**
     * An event with some values.
     *
     * @param kind   of event.
     * @param timeMs when, in milliseconds since 1970.
     * @param pairs  keys and values in turn.
     * @return the event.
     */
    public static Event of(final EventKind kind, final long timeMs, final Object... pairs) {
        final Map<String, Object> values = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            values.put(String.valueOf(pairs[i]), pairs[i + 1]);
        }
        return new Event(kind, timeMs, values);
    }

    /** One line without area, level and time, which loggers have: {@code closed peer=tcp://127.0.0.1:4711 code=TIMED_OUT}. */
    @Override
    public String toString() {
        final StringBuilder text = new StringBuilder(kind.label());
        EventText.append(text, values);
        return text.toString();
    }
}
