package io.penstock.broker.match;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.format.FieldReader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The followers with one filter, which is evaluated once for all of them. Confined to the sequencer. */
final class FilterGroup {
    final String text;
    final List<StateFollower> followers = new ArrayList<>();

    /** Null when everything matches. */
    @Nullable
    Filter filter;

    FilterGroup(final String text) {
        this.text = text;
    }

    boolean matches(final @Nullable FieldReader record) {
        return record != null && (filter == null || filter.matches(record));
    }

    boolean isAnyLive() {
        for (int i = 0, size = followers.size(); i < size; i++) {
            if (followers.get(i).isLive()) {
                return true;
            }
        }
        return false;
    }
}
