package io.penstock.broker.shard.match;

import io.penstock.broker.filter.Filter;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The members of a {@link Matcher} with one filter, which is evaluated once a record for all of them. Confined to the
 * matcher's agent.
 *
 * @param <M> of one kind.
 */
public final class FilterGroup<M extends Matcher.Member> {
    private static final int[] NO_SLOTS = {};

    final String text;
    final @Nullable Filter filter;
    final ArrayList<M> members = new ArrayList<>(1);

    /** Among the groups of its matcher. */
    int place;

    private final int[] slots;

    /** By the record's index: the number of the last message that it was asked about, and in the lowest bit the answer. */
    private final long[] answers;

    FilterGroup(final String text, final @Nullable Filter filter, final int[] slots, final int recordCount) {
        this.text = text;
        this.filter = filter;
        this.slots = slots;
        answers = new long[recordCount];
    }

    /** One whose members want every message. */
    static <M extends Matcher.Member> FilterGroup<M> unfiltered() {
        return new FilterGroup<>("", null, NO_SLOTS, 0);
    }

    /**
     * How many members it has.
     *
     * @return count, at least 1 while its matcher has it.
     */
    public int size() {
        return members.size();
    }

    /**
     * One of its members. Their order changes when one leaves.
     *
     * @param index from 0 on.
     * @return the member.
     */
    public M get(final int index) {
        return members.get(index);
    }

    /**
     * Tells whether a message satisfies the filter, which is evaluated when this is asked for the first time.
     *
     * @param record positioned on the message.
     * @return true when the filter is true of it, or there is none.
     */
    public boolean matches(final MatchedRecord record) {
        if (filter == null) {
            return true;
        }
        final int index = record.index();
        final long number = record.number();
        final long known = answers[index];
        if (known >>> 1 == number) {
            return (known & 1) != 0;
        }
        final boolean isMatch = filter.matches(record.reader(), slots);
        answers[index] = number << 1 | (isMatch ? 1 : 0);
        return isMatch;
    }

    /** Whether any of its members is to be visited when its filter is true of a record with that index. */
    boolean isWanted(final int recordIndex) {
        for (int i = 0, size = members.size(); i < size; i++) {
            if (members.get(i).wants(recordIndex)) {
                return true;
            }
        }
        return false;
    }

    void add(final M member) {
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
}
