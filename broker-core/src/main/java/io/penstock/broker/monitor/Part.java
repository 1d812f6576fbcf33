package io.penstock.broker.monitor;

import java.util.List;

/**
 * A part of a list that an I/O agent has made. Immutable.
 *
 * @param items of the part, by place; what has come or gone meanwhile may be missing.
 * @param next  where the next part begins; {@link Place#END} when there is none.
 * @param <T>   what is listed.
 */
public record Part<T>(List<T> items, Place next) {
    public Part {
        items = List.copyOf(items);
    }
}
