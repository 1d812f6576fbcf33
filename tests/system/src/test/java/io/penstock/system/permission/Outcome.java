package io.penstock.system.permission;

import java.util.List;

/**
 * What became of a command.
 *
 * @param code  why it was refused; empty when it was not.
 * @param items messages, records, topics or numbers, in no order.
 */
record Outcome(String code, List<String> items) {
    Outcome {
        items = items.stream().sorted().toList();
    }

    static final Outcome DONE = new Outcome("", List.of());

    static Outcome refused(final String code) {
        return new Outcome(code, List.of());
    }

    static Outcome of(final List<String> items) {
        return new Outcome("", items);
    }

    static Outcome count(final long count) {
        return of(List.of(Long.toString(count)));
    }
}
