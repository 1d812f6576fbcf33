package io.penstock.broker.session.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.security.AccessGate;
import io.penstock.broker.security.Action;
import io.penstock.broker.security.Principal;
import io.penstock.broker.security.TopicRights;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicIndex;
import io.penstock.broker.topic.TopicRules;
import io.penstock.format.FieldSelection;
import io.penstock.format.KeyReader;
import io.penstock.format.MessageFormat;
import io.penstock.format.MessageValidator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** Finds topics for one I/O agent's clients, with the clients' permissions. Confined to that agent. */
public final class KnownTopics {
    private static final int KEY_READER_COUNT_MAX = 1024;
    private static final int INTAKE_COUNT_MAX = 1024;

    private final ShardLinks shards;
    private final AccessGate gate;
    private final TopicRules rules;
    private final TopicIndex index = new TopicIndex();
    private final Map<MessageFormat, MessageValidator> validators = new HashMap<>();

    /** Readers by the fields of keys, so that topics of one kind share one. */
    private final Map<KeyKind, KeyReader> keyReaders = new HashMap<>();

    /** What takes messages, so that clients with the same permissions share one for all topics of one kind. */
    private final Map<MessageIntake.Kind, MessageIntake> intakes = new HashMap<>();

    KnownTopics(final ShardLinks shards, final Admission admission) {
        this.shards = shards;
        gate = admission.gate();
        rules = admission.rules();
    }

    /** The rules for new topics, and for the shard of each. */
    public TopicRules rules() {
        return rules;
    }

    /** A session's permissions for a topic; decided at first use. */
    public TopicAccess access(final Session session, final Topic topic) {
        final TopicAccess known = session.topics().access(topic.shard(), topic.id());
        if (known != null) {
            return known;
        }
        final TopicRights rights = TopicRights.of(gate, session.profile().principal(), topic.name());
        final TopicAccess access = new TopicAccess(
                topic,
                shards.port(topic.shard()).topics(),
                validators.computeIfAbsent(topic.format(), MessageFormat::newValidator),
                keyReader(topic),
                rights,
                intake(topic, rights),
                shards.port(topic.shard()).isJournaled());
        session.access(access);
        return access;
    }

    /** Whether a session may know of a topic, which it may not have used before. */
    public boolean isVisible(final Session session, final Topic topic) {
        final TopicAccess known = session.topics().access(topic.shard(), topic.id());
        return known == null
                ? gate.allows(session.profile().principal(), Action.SUBSCRIBE, topic.name())
                        || gate.allows(session.profile().principal(), Action.QUERY, topic.name())
                : known.isVisible();
    }

    /** How many messages a topic has had, for a session that may see all of them; else 0. */
    public long messageCount(final Session session, final Topic topic) {
        final Principal principal = session.profile().principal();
        final boolean seesAll = "".equals(gate.condition(principal, List.of(Action.SUBSCRIBE), topic.name()))
                || "".equals(gate.condition(principal, List.of(Action.QUERY), topic.name()));
        return seesAll ? shards.port(topic.shard()).topics().messageCount(topic.id()) : 0;
    }

    /** The permissions have changed: all that was decided for a session is decided anew. */
    public void decideAnew(final Session session) {
        session.topics().forEach(access -> {
            final Topic topic = access.topic();
            final TopicRights rights = TopicRights.of(gate, session.profile().principal(), topic.name());
            access.rights(rights, intake(topic, rights));
        });
    }

    /** Whether a topic was not deleted. */
    public boolean isThere(final Topic topic) {
        return shards.port(topic.shard()).topics().find(topic.id()) != null;
    }

    /** Fields of a topic's records, and those that are its key. */
    public FieldSelection withKey(final String topicName, final FieldSelection selection) {
        final Topic topic = find(topicName);
        final StateRule rule = topic == null ? null : topic.state();
        return rule == null ? selection : selection.union(rule.keyFields());
    }

    /** Finds a topic in the shard's table by name, slowly, or null. */
    public @Nullable Topic find(final String name) {
        return shards.port(rules.shard(name)).topics().find(name);
    }

    /** Finds a topic that was learnt by the bytes of its name; null when it was not, or was deleted. */
    public @Nullable Topic find(final DirectBuffer buffer, final int offset, final int length) {
        final Topic known = index.find(buffer, offset, length);
        return known != null && isThere(known) ? known : null;
    }

    /** Has a topic found by the bytes of its name from now on. */
    public void learn(final Topic topic) {
        index.add(topic, this::isThere);
    }

    /** The same, if there is one of the name. */
    public void learn(final String name) {
        final UnsafeBuffer bytes = new UnsafeBuffer(name.getBytes(UTF_8));
        final Topic topic = find(bytes, 0, bytes.capacity()) == null ? find(name) : null;
        if (topic != null) {
            learn(topic);
        }
    }

    private @Nullable KeyReader keyReader(final Topic topic) {
        final StateRule rule = topic.state();
        if (rule == null || rule.isPublisherKey()) {
            return null;
        }
        final KeyKind kind = new KeyKind(topic.format(), rule.keyText());
        if (keyReaders.size() >= KEY_READER_COUNT_MAX && !keyReaders.containsKey(kind)) {
            // A session that has a reader keeps it; new sessions get a new one.
            keyReaders.clear();
        }
        return keyReaders.computeIfAbsent(kind, made -> topic.newKeyReader());
    }

    private MessageIntake intake(final Topic topic, final TopicRights rights) {
        final MessageIntake.Kind kind = MessageIntake.Kind.of(topic, rights.publish());
        if (intakes.size() >= INTAKE_COUNT_MAX && !intakes.containsKey(kind)) {
            intakes.clear();
        }
        return intakes.computeIfAbsent(kind, MessageIntake::of);
    }

    /** The format and the fields of a key. */
    private record KeyKind(MessageFormat format, String key) {}
}
