package io.penstock.broker.session.publish;

import io.penstock.broker.journal.JournalStatus;
import io.penstock.broker.security.AccessGate;
import io.penstock.broker.security.Action;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.client.TopicAccess;
import io.penstock.broker.shard.command.OpenPublisher;
import io.penstock.protocol.ErrorCode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds and words the refusals of publish commands, with their bounds. Confined to one I/O agent. */
final class PublishRefusals {
    private static final long FIRST_SEQUENCE_MAX = 1L << 62;

    private final SessionContext context;

    PublishRefusals(final SessionContext context) {
        this.context = context;
    }

    /**
     * The highest sequence that is taken of a publisher: any lower one counts as applied from then on, so that one far
     * above those before it would silence its publisher. Where it begins is its own matter.
     */
    long sequenceMax(final Session session) {
        return session.publishing().publisherSequence() == 0
                ? FIRST_SEQUENCE_MAX
                : session.publishing().publisherSequence()
                        + Math.min(
                                context.settings().quotas().publisherSequenceGapMax(),
                                Long.MAX_VALUE - session.publishing().publisherSequence());
    }

    /** Why the journal of a shard takes no message now; null when it does. */
    @Nullable
    ErrorCode checkJournal(final Session session, final int shard, final long publisherSequence) {
        final long status = context.shards().port(shard).journalStatus();
        if (status == JournalStatus.FAILED) {
            return ErrorCode.JOURNAL_FAILED;
        }
        return isFull(session, shard, status, publisherSequence) ? ErrorCode.JOURNAL_FULL : null;
    }

    /** Whether a publish is refused for want of room. */
    private static boolean isFull(
            final Session session, final int shard, final long status, final long publisherSequence) {
        if (status == JournalStatus.FULL) {
            session.publishing().overDisk().add(shard, publisherSequence);
            return true;
        }
        return session.publishing().overDisk().blocks(shard, publisherSequence);
    }

    /** Refuses a message for what is in it, or a change for what may be in its record. */
    void refuseContent(
            final Session session,
            final TopicAccess access,
            final long commandId,
            final long publisherSequence,
            final boolean isDelta) {
        final boolean isDenied = isDelta && access.rights().delta() == null;
        final String text = isDenied
                ? "delta: not allowed for " + session.profile().principal().name()
                        + " (publish whole messages, or ask for the permission)"
                : isDelta
                        ? "delta: not for " + session.profile().principal().name()
                                + ", whose messages to it are limited by a filter (publish whole messages)"
                        : "not a message that " + session.profile().principal().name()
                                + " may publish (see the filters of the permissions)";
        context.refuse(
                session,
                commandId,
                0,
                publisherSequence,
                isDenied ? ErrorCode.NOT_AUTHORIZED : ErrorCode.NOT_ENTITLED,
                "publish to " + access.topic().name() + ": " + text);
    }

    /** Why a client may not publish to a topic, whether there is one of the name or not. */
    static String notAllowed(final AccessGate gate, final Session session, final String topic) {
        return "publish to " + topic + ": "
                + gate.whyNot(session.profile().principal(), List.of(Action.PUBLISH), topic);
    }

    /** Why a message is refused, in words for its publisher. */
    String of(
            final ErrorCode refusal,
            final Session session,
            final TopicAccess access,
            final int ackTypes,
            final int length,
            final long publisherSequence) {
        if (refusal == ErrorCode.NOT_AUTHORIZED) {
            return notAllowed(context.gate(), session, access.topic().name());
        }
        final String subject = "publish to " + access.topic().name() + ": ";
        return subject
                + switch (refusal) {
                    case MESSAGE_TOO_LONG ->
                        "message too long: " + length + " bytes (send at most "
                                + context.settings().limits().messageLengthMax()
                                + ", or raise sessions.messageLengthMax)";
                    case BAD_SEQUENCE ->
                        "publisher sequence too far above those before it: " + publisherSequence + " after "
                                + session.publishing().publisherSequence() + " (number messages consecutively, at most "
                                + sequenceMax(session)
                                + " now; raise quotas.publisherSequenceGapMax, or have an administrator reset the"
                                + " publisher)";
                    case LIMIT_REACHED -> limit(session, access.topic().shard());
                    case JOURNAL_FULL ->
                        "the broker's disk is full (publish again later; make room, or have the broker keep less)";
                    case JOURNAL_FAILED ->
                        "the broker's disk has failed (mend it and restart the broker; nothing is taken until then)";
                    default -> acknowledgements(ackTypes);
                };
    }

    private String limit(final Session session, final int shard) {
        return session.publishing().publisherId(shard) != OpenPublisher.LIMIT_REACHED
                ? "no more named publishers of " + session.identity() + ", with "
                        + context.settings().quotas().createdPublishers().countMax() + " made: "
                        + session.profile().name()
                        + " (log on with a name used before, publish without sequences, or raise"
                        + " quotas.publishersPerIdentityMax)"
                : "no more named publishers (publish without sequences, or raise sessions.publisherCountMax)";
    }

    private static String acknowledgements(final int ackTypes) {
        final int unknown = ackTypes & ~(PublishHandler.ACKS_SUPPORTED | PublishHandler.ACK_PERSISTED);
        return unknown == 0
                ? "the topic is in memory only: no persisted acknowledgement (ask for received, processed or completed,"
                        + " or have it journaled)"
                : "no such acknowledgement: 0x" + Integer.toHexString(unknown)
                        + " (ask for received, processed, completed or, of journaled topics, persisted)";
    }
}
