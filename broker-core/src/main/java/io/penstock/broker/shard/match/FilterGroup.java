package io.penstock.broker.shard.match;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.condition.Condition;
import io.penstock.broker.shard.match.index.Chained;
import io.penstock.broker.shard.match.index.IndexedFilter;
import io.penstock.format.FieldPath;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import java.util.ArrayList;
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

    final String text;
    final @Nullable Filter filter;

    /** Most groups have one member. */
    private @Nullable M first;

    private @Nullable ArrayList<M> others;

    /** Among the groups of its matcher. */
    int place;

    private final int[] slots;

    /** Behind it in the table of its matcher. */
    private @Nullable FilterGroup<M> nextInChain;

    /**
     * For each record the number of the last message that it was asked about, and in the lowest bit the answer. Made when it is
     * asked for the first time: most groups are found, and never asked.
     */
    private long @Nullable [] answers;

    FilterGroup(final String text, final @Nullable Filter filter, final int[] slots) {
        this.text = text;
        this.filter = filter;
        this.slots = slots;
    }

    /** One whose members want every message. */
    static <M extends Matcher.Member> FilterGroup<M> unfiltered() {
        return new FilterGroup<>("", null, NO_SLOTS);
    }

    /**
     * How many members it has.
     *
     * @return count, at least 1 while its matcher has it.
     */
    public int size() {
        if (first == null) {
            return 0;
        }
        return others == null ? 1 : 1 + others.size();
    }

    /**
     * One of its members. Their order changes when one leaves.
     *
     * @param index from 0 on.
     * @return the member.
     */
    public M get(final int index) {
        return Objects.requireNonNull(index == 0 || others == null ? first : others.get(index - 1));
    }

    /**
     * Returns whether a message satisfies the filter, which is evaluated when this is asked for the first time.
     *
     * @param record positioned on the message.
     * @return true when the filter is true of it, or there is none.
     */
    public boolean matches(final MatchedRecord record) {
        if (filter == null) {
            return true;
        }
        final long[] known = answers == null ? noAnswers() : answers;
        final int index = record.index();
        if (known[index] >>> 1 == record.number()) {
            return (known[index] & 1) != 0;
        }
        final boolean isMatch = filter.matches(record.reader(), slots);
        known[index] = record.number() << 1 | (isMatch ? 1 : 0);
        return isMatch;
    }

    private long[] noAnswers() {
        final long[] made = new long[TopicFields.RECORDS_MAX];
        answers = made;
        return made;
    }

    /** Whether a message satisfies the filter, which is evaluated. */
    boolean matches(final FieldReader message) {
        return filter == null || filter.matches(message, slots);
    }

    /** Whether any of its members is to be visited when its filter is true of a record with that index. */
    boolean isWanted(final int recordIndex) {
        for (int i = 0, size = size(); i < size; i++) {
            if (get(i).wants(recordIndex)) {
                return true;
            }
        }
        return false;
    }

    void add(final M member) {
        member.place(size());
        if (first == null) {
            first = member;
            return;
        }
        if (others == null) {
            others = new ArrayList<>(1);
        }
        others.add(member);
    }

    void remove(final M member) {
        if (others == null) {
            first = null;
            return;
        }
        final M last = others.remove(others.size() - 1);
        if (others.isEmpty()) {
            others = null;
        }
        final int place = member.place();
        if (place == 0) {
            first = last;
        } else if (others != null && place <= others.size()) {
            others.set(place - 1, last);
        }
        last.place(place);
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
        return text.hashCode();
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
