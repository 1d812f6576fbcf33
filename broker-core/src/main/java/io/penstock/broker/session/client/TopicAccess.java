package io.penstock.broker.session.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.security.TopicRights;
import io.penstock.broker.topic.MessageCutter;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicTable;
import io.penstock.format.FieldSelection;
import io.penstock.format.KeyReader;
import io.penstock.format.MessageValidator;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The permissions of one session for one topic, decided once, and again when the permissions change. Confined to the
 * session's I/O agent.
 */
public final class TopicAccess {
    private final Topic topic;
    private final DirectBuffer name;
    private final MessageValidator validator;
    private final boolean isJournaled;

    private final @Nullable KeyReader keyReader;

    private final TopicTable table;

    /** At which count of deletions the topic was found in the table. */
    private int deletionCount = -1;

    private boolean isAnnounced;
    private TopicRights rights;

    /** Takes messages that are published. */
    private MessageIntake intake;

    private @Nullable KeyDeleteTally keyDeletes;

    TopicAccess(
            final Topic topic,
            final TopicTable table,
            final MessageValidator validator,
            final @Nullable KeyReader keyReader,
            final TopicRights rights,
            final MessageIntake intake,
            final boolean isJournaled) {
        this.topic = topic;
        this.table = table;
        name = new UnsafeBuffer(topic.name().getBytes(UTF_8));
        this.validator = validator;
        this.keyReader = keyReader;
        this.isJournaled = isJournaled;
        this.rights = shown(rights);
        this.intake = intake;
    }

    /** The permissions have changed, and with them what is asked about messages that are published. */
    void rights(final TopicRights changed, final MessageIntake changedIntake) {
        rights = shown(changed);
        intake = changedIntake;
    }

    /** The rights, but none to read what the fields that are hidden cannot be cut out of, or are the key of. */
    private TopicRights shown(final TopicRights given) {
        return MessageCutter.whyNotShown(given.hidden(), topic) == null ? given : given.withoutReading();
    }

    /** Fields that its client is not sent; null when it is sent messages as they are. */
    public @Nullable FieldSelection hidden() {
        final FieldSelection hidden = rights.hidden();
        return hidden.paths().isEmpty() ? null : hidden;
    }

    /** What its client may do with the messages of the topic. */
    public TopicRights rights() {
        return rights;
    }

    /** The topic. */
    public Topic topic() {
        return topic;
    }

    /** Its name, as it is in a frame. */
    public DirectBuffer name() {
        return name;
    }

    /** Checks messages that name keys of it. */
    public MessageValidator validator() {
        return validator;
    }

    /** Reads the topic's keys; null when it keeps no state or publishers give the key. */
    public @Nullable KeyReader keyReader() {
        return keyReader;
    }

    /** Whether messages may be published to it. */
    public boolean mayPublish() {
        return rights.publish() != null;
    }

    /** Whether changes of its records may be published, whatever is in them. */
    public boolean mayPublishDelta() {
        final String condition = rights.delta();
        return condition != null && condition.isEmpty();
    }

    /** Takes messages that its client publishes to it. */
    public MessageIntake intake() {
        return intake;
    }

    /** Whether messages of it may be sent as they come. */
    public boolean maySubscribe() {
        return rights.subscribe() != null;
    }

    /** Whether earlier messages of it may be sent. */
    public boolean mayReplay() {
        return rights.subscribe() != null && rights.replay() != null;
    }

    /** Whether the client may know that it is there. */
    public boolean isVisible() {
        return rights.subscribe() != null || rights.query() != null;
    }

    /** Whether any record of it may be deleted, whatever is in it. */
    public boolean mayDelete() {
        final String condition = rights.delete();
        return condition != null && condition.isEmpty();
    }

    /** Whether its messages are written to files, so that each publish looks how these are. */
    public boolean isJournaled() {
        return isJournaled;
    }

    /** Whether the topic's name was sent to the client. */
    public boolean isAnnounced() {
        return isAnnounced;
    }

    /** The topic's name is sent to the client. */
    void onAnnounced() {
        isAnnounced = true;
    }

    /** A record is deleted by its key; whether those so far are due to be recorded. */
    boolean onKeyDeleted(final long nowNs, final long intervalNs) {
        KeyDeleteTally tally = keyDeletes;
        if (tally == null) {
            tally = new KeyDeleteTally(nowNs, intervalNs);
            keyDeletes = tally;
        }
        return tally.add(nowNs);
    }

    /** How many were deleted by key since the last call, if that is counted. */
    long takeKeyDeletes() {
        return keyDeletes == null ? 0 : keyDeletes.take();
    }

    /** Whether deletes are counted that were not taken. */
    boolean hasKeyDeletes() {
        return keyDeletes != null && !keyDeletes.isEmpty();
    }

    /** Whether the topic was not deleted; cheap while none is. */
    public boolean isThere() {
        final int count = table.deletionCount();
        if (count != deletionCount) {
            if (table.find(topic.id()) == null) {
                return false;
            }
            deletionCount = count;
        }
        return true;
    }

    /** Deletes by key of one session in one topic, which the audit does not have yet. Confined to the session's I/O agent. */
    private static final class KeyDeleteTally {
        private final long intervalNs;
        private long count;
        private long sinceNs;

        /** Begins so that the first delete is due. */
        KeyDeleteTally(final long nowNs, final long intervalNs) {
            this.intervalNs = intervalNs;
            sinceNs = nowNs - intervalNs;
        }

        /** Counts one; whether they are due to be recorded. */
        boolean add(final long nowNs) {
            count++;
            if (nowNs - sinceNs < intervalNs) {
                return false;
            }
            sinceNs = nowNs;
            return true;
        }

        /** How many there are, and begins with none. */
        long take() {
            final long taken = count;
            count = 0;
            return taken;
        }

        boolean isEmpty() {
            return count == 0;
        }
    }
}
