package io.penstock.broker.shard.match;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.shard.match.index.FilterIndex;
import io.penstock.broker.shard.match.index.GrowingTable;
import io.penstock.broker.shard.match.index.HashSeed;
import io.penstock.broker.shard.match.index.IndexedFilter;
import io.penstock.format.FieldReader;
import io.penstock.format.GrowableReader;
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
    /** As many groups take about as long to be evaluated as to be found. */
    private static final int INDEXED_MIN = 16;

    private static final int NEVER = Integer.MAX_VALUE;

    private final TopicFields fields;
    private final int indexedMin;
    private final GrowingTable<FilterGroup<M>> byText = new GrowingTable<>();
    private final GroupList<M> groups = new GroupList<>();

    /** Of all groups; null while there are few of them. */
    private @Nullable FilterIndex index;

    /**
     * Starts without members.
     *
     * @param fields of the topic.
     */
    public Matcher(final TopicFields fields) {
        this(fields, INDEXED_MIN);
    }

    /** Has an index from a count of groups on. */
    Matcher(final TopicFields fields, final int indexedMin) {
        this.fields = fields;
        this.indexedMin = indexedMin;
    }

    /**
     * A matcher whose groups are asked one by one, and which has no index.
     *
     * @param fields of the topic.
     * @param <M>    kind of member.
     * @return one without members.
     */
    public static <M extends Member> Matcher<M> withoutIndex(final TopicFields fields) {
        return new Matcher<>(fields, NEVER);
    }

    /**
     * Whether there is no member.
     *
     * @return false when there is one.
     */
    public boolean isEmpty() {
        return groups.size() == 0;
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
        FilterGroup<M> group = byText.head(HashSeed.hash(text));
        while (group != null && !group.text().equals(text)) {
            group = group.nextInChain();
        }
        return group;
    }

    /**
     * The group of a filter, which is made when there is none. A member is to be added to it at once.
     *
     * @param text   of the filter, in canonical form; empty for none.
     * @param filter that has this text, the matcher's from now on; null when every message matches.
     * @return the group.
     */
    public FilterGroup<M> groupOf(final String text, final @Nullable Filter filter) {
        FilterGroup<M> group = find(text);
        if (group == null) {
            group = newGroup(filter);
            byText.add(group);
            groups.add(group);
            if (index != null) {
                index.add(group);
            } else if (groups.size() >= indexedMin) {
                index = newIndex();
            }
        }
        return group;
    }

    private FilterGroup<M> newGroup(final @Nullable Filter filter) {
        if (filter == null) {
            return FilterGroup.unfiltered();
        }
        filter.join(fields.workspace());
        return new FilterGroup<>(filter, fields.take(filter.ownFields()));
    }

    private FilterIndex newIndex() {
        final FilterIndex made = new FilterIndex();
        for (int i = 0, size = groups.size(); i < size; i++) {
            made.add(groups.get(i));
        }
        return made;
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
        if (group.size() > 0) {
            return;
        }
        byText.remove(group);
        groups.remove(group);
        if (index != null) {
            index.remove(group);
            if (groups.size() < indexedMin / 2) {
                removeIndex(index);
            }
        }
        if (group.filter != null) {
            fields.give(group.filter.ownFields());
        }
    }

    private void removeIndex(final FilterIndex removed) {
        for (int i = 0, size = groups.size(); i < size; i++) {
            removed.remove(groups.get(i));
        }
        index = null;
    }

    /**
     * Finds the groups that a record matches and that have a member who wants it.
     *
     * @param record  positioned on the message.
     * @param visitor of the groups; it adds and removes none.
     */
    public void match(final MatchedRecord record, final Visitor<M> visitor) {
        final FilterIndex all = index;
        if (all == null) {
            matchPlain(record, visitor);
            return;
        }
        final GrowableReader reader = record.reader();
        final int count = all.find(reader);
        for (int i = 0; i < count; i++) {
            final FilterGroup<M> group = group(all.found(i));
            if (group.isWanted(record.index()) && isTrue(all, i, group, reader)) {
                visitor.onMatch(group);
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static <M extends Member> FilterGroup<M> group(final IndexedFilter found) {
        return (FilterGroup<M>) found;
    }

    private static boolean isTrue(
            final FilterIndex all, final int place, final FilterGroup<?> group, final FieldReader reader) {
        if (group.isFoundCertain() || group.matches(reader)) {
            return true;
        }
        all.isNotTrue(place);
        return false;
    }

    private void matchPlain(final MatchedRecord record, final Visitor<M> visitor) {
        final int recordIndex = record.index();
        final FieldReader reader = record.reader();
        for (int i = 0, size = groups.size(); i < size; i++) {
            final FilterGroup<M> group = groups.get(i);
            if (group.isWanted(recordIndex) && group.matches(reader)) {
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
        final FilterIndex all = index;
        if (all == null) {
            matchPlain(record, before, visitor);
            return;
        }
        final GrowableReader reader = record.reader();
        final int count = all.find(reader);
        for (int i = 0; i < count; i++) {
            final FilterGroup<M> group = group(all.found(i));
            if (group.isWanted(record.index()) && isTrue(all, i, group, reader)) {
                all.isTrue(group);
                visitor.onMatch(group);
            }
        }
        final GrowableReader readerBefore = before.reader();
        final int countBefore = all.findOthers(readerBefore);
        for (int i = 0; i < countBefore; i++) {
            final FilterGroup<M> group = group(all.found(i));
            if (group.isWanted(record.index())
                    && group.isWanted(before.index())
                    && isTrue(all, i, group, readerBefore)) {
                visitor.onLeft(group);
            }
        }
    }

    private void matchPlain(final MatchedRecord record, final MatchedRecord before, final Visitor<M> visitor) {
        final int recordIndex = record.index();
        final int indexBefore = before.index();
        final FieldReader reader = record.reader();
        for (int i = 0, size = groups.size(); i < size; i++) {
            final FilterGroup<M> group = groups.get(i);
            if (!group.isWanted(recordIndex)) {
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
        final FilterIndex all = index;
        final GrowableReader reader = before.reader();
        if (all == null) {
            matchPlainGone(before.index(), reader, visitor);
            return;
        }
        final int count = all.find(reader);
        for (int i = 0; i < count; i++) {
            final FilterGroup<M> group = group(all.found(i));
            if (group.isWanted(before.index()) && isTrue(all, i, group, reader)) {
                visitor.onLeft(group);
            }
        }
    }

    private void matchPlainGone(final int recordIndex, final FieldReader reader, final Visitor<M> visitor) {
        for (int i = 0, size = groups.size(); i < size; i++) {
            final FilterGroup<M> group = groups.get(i);
            if (group.isWanted(recordIndex) && group.matches(reader)) {
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
