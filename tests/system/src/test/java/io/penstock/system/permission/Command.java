package io.penstock.system.permission;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One case: what a user asks.
 *
 * @param transport over which.
 * @param user      who.
 * @param kind      what.
 * @param topic     of it, or a pattern, or a sink.
 * @param filter    of the user; null for none.
 * @param sample    that is published.
 * @param keys      that are named.
 * @param changes   that others make while it is subscribed.
 * @param variant   which of the operations that are the same command.
 */
record Command(
        Transport transport,
        User user,
        Kind kind,
        String topic,
        @Nullable Condition filter,
        Sample sample,
        List<Integer> keys,
        List<Change> changes,
        int variant) {
    String filterText() {
        return filter == null ? "" : filter.text();
    }

    /** Whether a subscription with state first is told of records that leave it. */
    boolean isOof() {
        return variant / 4 % 3 != 0;
    }

    /** Whether a subscription with state first is sent what has changed of records alone. */
    boolean isDelta() {
        return variant / 12 % 2 != 0;
    }

    List<String> keyTexts() {
        return keys.stream().map(each -> "{\"id\":" + each + "}").toList();
    }

    @Override
    public String toString() {
        return kind + " of " + topic + " over " + transport + " by "
                + (user.name().isEmpty() ? User.ANONYMOUS : user.name()) + " " + user.roles() + user.attributes()
                + (filter == null ? "" : " where " + filter.text())
                + (kind.name().startsWith("PUBLISH") ? " " + sample.json() + sample.headers() : "")
                + (keys.isEmpty() ? "" : " keys " + keys)
                + (changes.isEmpty() ? "" : " while " + changes) + " (variant " + variant + ")";
    }
}
