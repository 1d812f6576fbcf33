package io.penstock.broker.shard.match;

import java.util.ArrayList;

/**
 * The members of a group that has several, and what the group was asked about last, so that its filter is evaluated once for
 * all of them. Confined to the matcher's agent.
 */
final class GroupMembers<M extends Matcher.Member> {
    private final ArrayList<M> members = new ArrayList<>(2);

    /** For each record the number of the last message that was asked about, and in the lowest bit the answer. */
    private final long[] answers = new long[TopicFields.RECORDS_MAX];

    int size() {
        return members.size();
    }

    M get(final int place) {
        return members.get(place);
    }

    void add(final M member) {
        members.add(member);
    }

    /** Removes one; the last one takes its place. */
    void remove(final M member) {
        final M last = members.remove(members.size() - 1);
        final int place = member.place();
        if (place < members.size()) {
            members.set(place, last);
            last.place(place);
        }
    }

    boolean isWanted(final int recordIndex) {
        for (int i = 0, size = members.size(); i < size; i++) {
            if (members.get(i).wants(recordIndex)) {
                return true;
            }
        }
        return false;
    }

    boolean matches(final FilterGroup<M> group, final MatchedRecord record) {
        final int index = record.index();
        if (answers[index] >>> 1 != record.number()) {
            answers[index] = record.number() << 1 | (group.matches(record.reader()) ? 1 : 0);
        }
        return (answers[index] & 1) != 0;
    }
}
