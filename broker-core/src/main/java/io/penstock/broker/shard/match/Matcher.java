package io.penstock.broker.shard.match;

import io.penstock.broker.filter.Filter;
import io.penstock.format.FieldReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the members that get a record: live subscriptions, followers of state and cursors have their filters here. A
 * matcher is for one topic and one kind of member. Members with equal filters are one group, which is evaluated once a
 * record; all filters of the topic read a record together, see {@link TopicFields}. The cost of adding or removing a
 * member does not grow with the number of others. Confined to one agent.
 *
 * <p>There are two ways to ask: {@link #match(MatchedRecord, Visitor)} finds all groups that a record matches, and
 * {@link FilterGroup#matches(MatchedRecord)} asks for one of them. How the groups are found is known here alone.
 *
 * @param <M> kind of member.
 */
public final class Matcher<M extends Matcher.Member> {
    private static final int[] NO_SLOTS = {};

    private final TopicFields fields;
    private final Map<String, FilterGroup<M>> byText = new HashMap<>();
    private final ArrayList<FilterGroup<M>> groups = new ArrayList<>();

    /**
     * Starts without members.
     *
     * @param fields of the topic.
     */
    public Matcher(final TopicFields fields) {
        this.fields = fields;
    }

    /**
     * Whether there is no member.
     *
     * @return false when there is one.
     */
    public boolean isEmpty() {
        return groups.isEmpty();
    }

    /**
     * How many different filters there are.
     *
     * @return count of groups.
     */
    public int groupCount() {
        return groups.size();
    }

    /**
     * One of the groups. Their order changes when one leaves.
     *
     * @param index from 0 on.
     * @return the group.
     */
    public FilterGroup<M> group(final int index) {
        return groups.get(index);
    }

    /**
     * The group of a filter.
     *
     * @param text of the filter, in canonical form.
     * @return null when there is none.
     */
    public @Nullable FilterGroup<M> find(final String text) {
        return byText.get(text);
    }

    /**
     * The group of a filter, which is made when there is none. A member is to be added to it at once.
     *
     * @param text   of the filter, in canonical form; empty for none.
     * @param filter compiled from it, the matcher's from now on; null when every message matches.
     * @return the group.
     */
    public FilterGroup<M> groupOf(final String text, final @Nullable Filter filter) {
        FilterGroup<M> group = byText.get(text);
        if (group == null) {
            group = new FilterGroup<>(text, filter, filter == null ? NO_SLOTS : fields.take(filter.ownFields()));
            byText.put(text, group);
            group.place = groups.size();
            groups.add(group);
        }
        return group;
    }

    /**
     * Adds a member.
     *
     * @param group  of its filter.
     * @param member that is in no group.
     */
    public void add(final FilterGroup<M> group, final M member) {
        group.add(member);
    }

    /**
     * Removes a member, and its group with the last one.
     *
     * @param group  of its filter.
     * @param member that was added to it.
     */
    public void remove(final FilterGroup<M> group, final M member) {
        group.remove(member);
        if (!group.members.isEmpty()) {
            return;
        }
        byText.remove(group.text);
        final FilterGroup<M> last = groups.remove(groups.size() - 1);
        if (last != group) {
            groups.set(group.place, last);
            last.place = group.place;
        }
        if (group.filter != null) {
            fields.give(group.filter.ownFields());
        }
    }

    /**
     * Finds the groups that a record matches and that have a member who wants it.
     *
     * @param record  positioned on the message.
     * @param visitor of the groups; it adds and removes none.
     */
    public void match(final MatchedRecord record, final Visitor<M> visitor) {
        final int index = record.index();
        final FieldReader reader = record.reader();
        for (int i = 0, size = groups.size(); i < size; i++) {
            final FilterGroup<M> group = groups.get(i);
            if (group.isWanted(index) && group.matches(reader)) {
                visitor.onMatch(group);
            }
        }
    }

    /**
     * Finds the groups that a changed record matches, and those that it matched before and does not match any more.
     *
     * @param record  positioned on what it is.
     * @param before  positioned on what it was; members who want this want the other one, too.
     * @param visitor of the groups; it adds and removes none.
     */
    public void match(final MatchedRecord record, final MatchedRecord before, final Visitor<M> visitor) {
        final int index = record.index();
        final int indexBefore = before.index();
        final FieldReader reader = record.reader();
        for (int i = 0, size = groups.size(); i < size; i++) {
            final FilterGroup<M> group = groups.get(i);
            if (!group.isWanted(index)) {
                continue;
            }
            if (group.matches(reader)) {
                visitor.onMatch(group);
            } else if (group.isWanted(indexBefore) && group.matches(before.reader())) {
                visitor.onLeft(group);
            }
        }
    }

    /**
     * Finds the groups that a deleted record matched.
     *
     * @param before  positioned on what it was.
     * @param visitor of the groups; it adds and removes none.
     */
    public void matchGone(final MatchedRecord before, final Visitor<M> visitor) {
        final int index = before.index();
        final FieldReader reader = before.reader();
        for (int i = 0, size = groups.size(); i < size; i++) {
            final FilterGroup<M> group = groups.get(i);
            if (group.isWanted(index) && group.matches(reader)) {
                visitor.onLeft(group);
            }
        }
    }

    /**
     * Is handed the groups that are found.
     *
     * @param <M> kind of member.
     */
    public interface Visitor<M extends Member> {
        /**
         * A record is for the members of a group.
         *
         * @param group of them; some may not want it.
         */
        void onMatch(FilterGroup<M> group);

        /**
         * A record is no longer one that the members of a group are about.
         *
         * @param group of them; some may not want to know.
         */
        default void onLeft(final FilterGroup<M> group) {}
    }

    /** One of those that have filters. It keeps its place in its group, so that it is removed without a search. */
    public interface Member {
        /**
         * Where it is.
         *
         * @return what was set.
         */
        int place();

        /**
         * It is moved.
         *
         * @param place to keep.
         */
        void place(int place);

        /**
         * Whether a match is to find it when its filter is true of a record. It may be found all the same.
         *
         * @param recordIndex which of the topic's records that is.
         * @return false when it would do nothing.
         */
        boolean wants(int recordIndex);
    }
}
