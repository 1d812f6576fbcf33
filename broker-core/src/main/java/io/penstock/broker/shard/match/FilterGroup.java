package io.penstock.broker.shard.match;

import io.penstock.broker.filter.Filter;
import io.penstock.format.FieldReader;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Those with one filter, which is evaluated once for all of them. Confined to the sequencer.
 *
 * @param <M> of one kind.
 */
public final class FilterGroup<M extends FilterGroup.Member> {
    private static final int[] NO_SLOTS = {};

    final String text;
    final ArrayList<M> members = new ArrayList<>(1);

    /** Among the groups of its topic. */
    int place;

    final @Nullable Filter filter;

    private final int[] slots;

    FilterGroup(final String text, final @Nullable Filter filter, final @Nullable TopicFields fields) {
        this.text = text;
        this.filter = filter;
        slots = filter == null || fields == null ? NO_SLOTS : fields.take(filter.ownFields());
    }

    /** Null when everything matches. */
    public @Nullable Filter filter() {
        return filter;
    }

    /** How many have the filter. */
    public int size() {
        return members.size();
    }

    public M get(final int index) {
        return members.get(index);
    }

    public boolean matches(final FieldReader record) {
        return filter == null || filter.matches(record, slots);
    }

    public boolean isAnyLive() {
        for (int i = 0, size = members.size(); i < size; i++) {
            if (members.get(i).isLive()) {
                return true;
            }
        }
        return false;
    }

    public void add(final M member) {
        member.place(members.size());
        members.add(member);
    }

    void remove(final M member) {
        final M last = members.remove(members.size() - 1);
        if (member.place() < members.size()) {
            members.set(member.place(), last);
            last.place(member.place());
        }
    }

    /** Knows its place in its group, so that it is removed without a search. */
    public interface Member {
        int place();

        void place(int place);

        boolean isLive();
    }
}
