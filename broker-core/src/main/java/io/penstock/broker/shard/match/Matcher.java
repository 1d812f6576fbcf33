package io.penstock.broker.shard.match;

import io.penstock.broker.filter.Filter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds those whom a record is for: live subscriptions, followers of state and cursors alike have their filters here. One
 * matcher is about one topic and one kind of member. Members with equal filters are one group, which is evaluated at most
 * once a record; all filters of the topic read a record together, see {@link TopicFields}. What a member that comes or
 * goes costs does not grow with the others. Confined to one agent.
 *
 * <p>There are two ways to ask: {@link #match} finds all groups that a record matches, and {@link FilterGroup#matches}
 * asks for one of them. How the groups are found is known here alone.
 *
 * @param <M> kind of member.
 */
public final class Matcher<M extends Matcher.Member> {
    private static final int[] NO_SLOTS = {};

    private final TopicFields fields;
    private final int recordCount;
    private final Map<String, FilterGroup<M>> byText = new HashMap<>();
    private final ArrayList<FilterGroup<M>> groups = new ArrayList<>();

    /**
     * Starts without members.
     *
     * @param fields      of the topic.
     * @param recordCount how many of the topic's records it is asked about, those with the lowest indexes.
     */
    public Matcher(final TopicFields fields, final int recordCount) {
        this.fields = fields;
        this.recordCount = recordCount;
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
            group = new FilterGroup<>(
                    text, filter, filter == null ? NO_SLOTS : fields.take(filter.ownFields()), recordCount);
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
     * @param matched that they are added to.
     */
    public void match(final MatchedRecord record, final List<FilterGroup<M>> matched) {
        final int index = record.index();
        for (int i = 0, size = groups.size(); i < size; i++) {
            final FilterGroup<M> group = groups.get(i);
            if (group.isWanted(index) && group.matches(record)) {
                matched.add(group);
            }
        }
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
         * Whether {@link Matcher#match} is to find it when its filter is true of a record. It may be found all the same.
         *
         * @param recordIndex which of the topic's records that is.
         * @return false when it would do nothing.
         */
        boolean wants(int recordIndex);
    }
}
