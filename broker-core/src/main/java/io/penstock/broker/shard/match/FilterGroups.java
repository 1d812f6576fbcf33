package io.penstock.broker.shard.match;

import io.penstock.broker.filter.Filter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The different filters of one topic, by their texts. What one that comes or goes costs does not grow with the others.
 * Confined to the sequencer.
 *
 * @param <M> of one kind.
 */
public final class FilterGroups<M extends FilterGroup.Member> {
    private final TopicFields fields;
    private final Map<String, FilterGroup<M>> byText = new HashMap<>();
    private final ArrayList<FilterGroup<M>> groups = new ArrayList<>();

    public FilterGroups(final TopicFields fields) {
        this.fields = fields;
    }

    public boolean isEmpty() {
        return groups.isEmpty();
    }

    public int count() {
        return groups.size();
    }

    public FilterGroup<M> get(final int index) {
        return groups.get(index);
    }

    /**
     * The group of a filter, which is made when there is none.
     *
     * @param text   in canonical form.
     * @param filter compiled from it, the sequencer's from now on; null when everything matches.
     */
    public FilterGroup<M> groupOf(final String text, final @Nullable Filter filter) {
        FilterGroup<M> group = byText.get(text);
        if (group == null) {
            group = new FilterGroup<>(text, filter, fields);
            byText.put(text, group);
            group.place = groups.size();
            groups.add(group);
        }
        return group;
    }

    /** Removes a member of a group, and the group with its last one. */
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
}
