package io.penstock.broker.agent;

import io.penstock.broker.shard.Sequencer;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicRules;
import io.penstock.broker.topic.TopicTable;
import io.penstock.format.FieldPath;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The topics of some shards of which columns are named. Confined to one query agent. */
final class NamedTopics {
    private final List<Sequencer> sequencers;
    private final TopicRules rules;
    private final Map<Topic, NamedTopic> byTopic = new LinkedHashMap<>();
    private final int[] idCounts;
    private final int[] deletionCounts;
    private int changeCount;

    NamedTopics(final List<Sequencer> sequencers, final TopicRules rules) {
        this.sequencers = List.copyOf(sequencers);
        this.rules = rules;
        idCounts = new int[sequencers.size()];
        deletionCounts = new int[sequencers.size()];
    }

    /** Whether there are other rules since {@link #update}. */
    boolean isRenamed() {
        return rules.changeCount() != changeCount;
    }

    /** Those that there are now. Looks at all topics only when there are others, or other rules. */
    Collection<NamedTopic> update(final long nowNs) {
        // The count first: rules that come meanwhile are looked at next.
        final int changes = rules.changeCount();
        final boolean isRenamed = changes != changeCount;
        changeCount = changes;
        if (byTopic.isEmpty() && !rules.nameColumns()) {
            return List.of();
        }
        for (int i = 0; i < idCounts.length; i++) {
            final TopicTable table = sequencers.get(i).shard().topics();
            final int idCount = table.nextId();
            final int deletionCount = table.deletionCount();
            if (isRenamed || idCount != idCounts[i] || deletionCount != deletionCounts[i]) {
                idCounts[i] = idCount;
                deletionCounts[i] = deletionCount;
                update(sequencers.get(i), table.snapshot(), isRenamed, nowNs);
            }
        }
        byTopic.values().removeIf(NamedTopic::isOver);
        return byTopic.values();
    }

    private void update(final Sequencer sequencer, final Topic[] present, final boolean isRenamed, final long nowNs) {
        final Set<Topic> withState = new HashSet<>();
        for (final Topic topic : present) {
            if (topic.state() != null) {
                withState.add(topic);
                final NamedTopic known = byTopic.get(topic);
                if (known == null || isRenamed) {
                    update(sequencer, topic, known, nowNs);
                }
            }
        }
        byTopic.values().removeIf(each -> each.sequencer.equals(sequencer) && !withState.contains(each.topic));
    }

    private void update(
            final Sequencer sequencer, final Topic topic, final @Nullable NamedTopic known, final long nowNs) {
        final List<FieldPath> names = rules.columns(topic.name());
        if (known != null) {
            known.name(names, nowNs);
        } else if (!names.isEmpty()) {
            final NamedTopic made = new NamedTopic(sequencer, topic);
            made.name(names, nowNs);
            byTopic.put(topic, made);
        }
    }
}
