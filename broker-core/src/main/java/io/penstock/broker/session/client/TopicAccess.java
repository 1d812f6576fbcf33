package io.penstock.broker.session.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicTable;
import io.penstock.format.KeyReader;
import io.penstock.format.MessageValidator;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** The permissions of one session for one topic, decided once. Confined to the session's I/O agent. */
public final class TopicAccess {
    private final Topic topic;
    private final DirectBuffer name;
    private final MessageValidator validator;
    private final boolean mayPublish;
    private final boolean maySubscribe;
    private final boolean mayDelete;

    private final boolean isJournaled;

    private final @Nullable KeyReader keyReader;

    private final TopicTable table;

    /** At which count of deletions the topic was found in the table. */
    private int deletionCount = -1;

    private boolean isAnnounced;

    private @Nullable KeyDeleteTally keyDeletes;

    TopicAccess(
            final Topic topic,
            final TopicTable table,
            final MessageValidator validator,
            final @Nullable KeyReader keyReader,
            final boolean mayPublish,
            final boolean maySubscribe,
            final boolean mayDelete,
            final boolean isJournaled) {
        this.topic = topic;
        this.table = table;
        name = new UnsafeBuffer(topic.name().getBytes(UTF_8));
        this.validator = validator;
        this.keyReader = keyReader;
        this.mayPublish = mayPublish;
        this.maySubscribe = maySubscribe;
        this.mayDelete = mayDelete;
        this.isJournaled = isJournaled;
    }

    /** The topic. */
    public Topic topic() {
        return topic;
    }

    /** Its name, as it is in a frame. */
    public DirectBuffer name() {
        return name;
    }

    /** Checks messages to it. */
    public MessageValidator validator() {
        return validator;
    }

    /** Reads the topic's keys; null when it keeps no state or publishers give the key. */
    public @Nullable KeyReader keyReader() {
        return keyReader;
    }

    /** Whether messages may be published to it. */
    public boolean mayPublish() {
        return mayPublish;
    }

    /** Whether messages of it may be sent. */
    public boolean maySubscribe() {
        return maySubscribe;
    }

    /** Whether records of it may be deleted. */
    public boolean mayDelete() {
        return mayDelete;
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
}
