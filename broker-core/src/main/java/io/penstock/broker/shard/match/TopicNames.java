package io.penstock.broker.shard.match;

import io.penstock.broker.topic.Topic;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Which topics subscriptions are about, now and when more topics are created. A topic is compared with patterns alone, and
 * a name with nothing. Confined to the sequencer.
 */
final class TopicNames {
    /** Topics by name, in the order of their ids. */
    private final Map<String, Topic> byName = new LinkedHashMap<>();

    private final Set<LiveSubscription> patterns = new LinkedHashSet<>();

    /** Subscriptions to topics that are not there yet. */
    private final Map<String, Set<LiveSubscription>> awaiting = new HashMap<>();

    /** A topic was created. Reports each subscription to it. */
    void add(final Topic topic, final Consumer<LiveSubscription> onSubscription) {
        final Topic before = byName.put(topic.name(), topic);
        assert before == null : before;
        final Set<LiveSubscription> waiting = awaiting.remove(topic.name());
        if (waiting != null) {
            waiting.forEach(onSubscription);
        }
        for (final LiveSubscription subscription : patterns) {
            if (subscription.interest.topics().matches(topic.name())) {
                onSubscription.accept(subscription);
            }
        }
    }

    /** A topic was deleted. */
    void remove(final Topic topic) {
        byName.remove(topic.name());
    }

    /** The topic of a subscription was deleted: if it is to this one alone, it waits for the next one of that name. */
    void await(final LiveSubscription subscription) {
        if (subscription.interest.topics().isLiteral()) {
            awaiting.computeIfAbsent(subscription.interest.topics().text(), of -> new LinkedHashSet<>())
                    .add(subscription);
        }
    }

    /** A subscription begins. Reports each of its topics. */
    void add(final LiveSubscription subscription, final Consumer<Topic> onTopic) {
        final String name = subscription.interest.topics().text();
        if (!subscription.interest.topics().isLiteral()) {
            patterns.add(subscription);
            for (final Topic topic : byName.values()) {
                if (subscription.interest.topics().matches(topic.name())) {
                    onTopic.accept(topic);
                }
            }
            return;
        }
        final Topic topic = byName.get(name);
        if (topic == null) {
            awaiting.computeIfAbsent(name, of -> new LinkedHashSet<>()).add(subscription);
        } else {
            onTopic.accept(topic);
        }
    }

    /** A subscription has ended. */
    void remove(final LiveSubscription subscription) {
        final String name = subscription.interest.topics().text();
        if (!subscription.interest.topics().isLiteral()) {
            patterns.remove(subscription);
            return;
        }
        final Set<LiveSubscription> waiting = awaiting.get(name);
        if (waiting != null && waiting.remove(subscription) && waiting.isEmpty()) {
            awaiting.remove(name);
        }
    }
}
