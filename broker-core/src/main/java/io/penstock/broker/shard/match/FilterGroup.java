package io.penstock.broker.shard.match;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.condition.Condition;
import io.penstock.broker.shard.match.index.Chained;
import io.penstock.broker.shard.match.index.HashSeed;
import io.penstock.broker.shard.match.index.IndexedFilter;
import io.penstock.format.FieldPath;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The members of a {@link Matcher} with one filter, which is evaluated once a record for all of them. Confined to the
 * matcher's agent.
 *
 * @param <M> of one kind.
 */
public final class FilterGroup<M extends Matcher.Member> extends IndexedFilter implements Chained<FilterGroup<M>> {
    private static final int[] NO_SLOTS = {};
    private static final Condition EVERYTHING = new Condition.All(List.of());

    final @Nullable Filter filter;

    /** The only one, as mostly, or a list of them; null for none. */
    private @Nullable Object members;

    /** Among the groups of its matcher. */
    int place;

    private final int[] slots;

    /** Behind it in the table of its matcher. */
    private @Nullable FilterGroup<M> nextInChain;

    FilterGroup(final @Nullable Filter filter, final int[] slots) {
        this.filter = filter;
        this.slots = slots;
    }

    /** One whose members want every message. */
    static <M extends Matcher.Member> FilterGroup<M> unfiltered() {
        return new FilterGroup<>(null, NO_SLOTS);
    }

    /** The filter in canonical form; empty for none. */
    String text() {
        return filter == null ? "" : filter.text();
    }

    /**
     * How many members it has.
     *
     * @return count, at least 1 while its matcher has it.
     */
    public int size() {
        if (members instanceof GroupMembers<?> several) {
            return several.size();
        }
        return members == null ? 0 : 1;
    }

    /**
     * One of its members. Their order changes when one leaves.
     *
     * @param index from 0 on.
     * @return the member.
     */
    @SuppressWarnings("unchecked")
    public M get(final int index) {
        return (M) Objects.requireNonNull(members instanceof GroupMembers<?> several ? several.get(index) : members);
    }

    /**
     * Returns whether a message satisfies the filter. Where there are several members it is evaluated once for all that ask.
     *
     * @param record positioned on the message.
     * @return true when the filter is true of it, or there is none.
     */
    @SuppressWarnings("unchecked")
    public boolean matches(final MatchedRecord record) {
        if (filter == null) {
            return true;
        }
        return members instanceof GroupMembers<?>
                ? ((GroupMembers<M>) members).matches(this, record)
                : filter.matches(record.reader(), slots);
    }

    /** Whether a message satisfies the filter, which is evaluated. */
    boolean matches(final FieldReader message) {
        return filter == null || filter.matches(message, slots);
    }

    /** Whether any of its members is to be visited when its filter is true of a record with that index. */
    boolean isWanted(final int recordIndex) {
        if (members instanceof GroupMembers<?> several) {
            return several.isWanted(recordIndex);
        }
        return members != null && get(0).wants(recordIndex);
    }

    @SuppressWarnings("unchecked")
    void add(final M member) {
        member.place(size());
        if (members == null) {
            members = member;
        } else if (members instanceof GroupMembers<?>) {
            ((GroupMembers<M>) members).add(member);
        } else {
            final GroupMembers<M> several = new GroupMembers<>();
            several.add((M) members);
            several.add(member);
            members = several;
        }
    }

    @SuppressWarnings("unchecked")
    void remove(final M member) {
        if (!(members instanceof GroupMembers<?>)) {
            members = null;
            return;
        }
        final GroupMembers<M> several = (GroupMembers<M>) members;
        several.remove(member);
        if (several.size() == 1) {
            members = several.get(0);
        }
    }

    @Override
    protected Condition condition() {
        return filter == null ? EVERYTHING : filter.condition();
    }

    @Override
    protected int slotOf(final FieldPath path) {
        final FieldSet fields = Objects.requireNonNull(filter).ownFields();
        int field = 0;
        while (!fields.path(field).equals(path)) {
            field++;
        }
        return slots[field];
    }

    @Override
    public int chainHash() {
        return HashSeed.hash(text());
    }

    @Override
    public @Nullable FilterGroup<M> nextInChain() {
        return nextInChain;
    }

    @Override
    public void nextInChain(final @Nullable FilterGroup<M> next) {
        nextInChain = next;
    }
}
