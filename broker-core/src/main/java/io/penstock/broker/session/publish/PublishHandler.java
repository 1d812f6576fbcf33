package io.penstock.broker.session.publish;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.security.Action;
import io.penstock.broker.session.client.MessageIntake;
import io.penstock.broker.session.client.PendingCommand;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.client.TopicAccess;
import io.penstock.broker.session.send.AckQueue;
import io.penstock.broker.shard.ShardPort;
import io.penstock.broker.shard.command.OpenPublisher;
import io.penstock.broker.shard.command.OpenTopic;
import io.penstock.broker.shard.command.ShardCommand;
import io.penstock.broker.shard.log.Publication;
import io.penstock.broker.staging.StagingSlot;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicIndex;
import io.penstock.format.KeyReader;
import io.penstock.protocol.CheckedRange;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.FrameHeader;
import io.penstock.protocol.codec.PublishDecoder;
import io.penstock.protocol.codec.PublishStateDecoder;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Takes publish commands: resolves the topic, asks the gate, validates the message once, and hands it to its shard.
 * Confined to one I/O agent; allocates nothing for a message to a topic the session has used before.
 */
public final class PublishHandler {
    private static final int COMMAND_ID_OFFSET = FrameHeader.LENGTH + PublishDecoder.commandIdEncodingOffset();
    private static final int SEQUENCE_OFFSET = FrameHeader.LENGTH + PublishDecoder.publisherSequenceEncodingOffset();
    private static final int ACK_TYPES_OFFSET = FrameHeader.LENGTH + PublishDecoder.ackTypesEncodingOffset();
    static final int ACKS_SUPPORTED = 0b1011;
    static final int ACK_PERSISTED = 0b0100;
    private static final String TRY_AGAIN = " (connect again later)";

    private final SessionContext context;
    private final TopicCreator creator;
    private final Publication publication = new Publication();

    private final PublishFields fields = new PublishFields();
    private final PublishRefusals texts;

    /** Makes it for the sessions of one I/O agent. */
    public PublishHandler(final SessionContext context, final TopicCreator creator) {
        this.context = context;
        this.creator = creator;
        texts = new PublishRefusals(context);
    }

    /**
     * Handles a frame that was checked.
     *
     * @param slot that holds the frame when it came in fragments, else null.
     * @return false when it has to be offered again later.
     */
    public boolean onPublish(
            final Session session, final DirectBuffer buffer, final int offset, final @Nullable StagingSlot slot) {
        final int block = offset + FrameHeader.LENGTH;
        // The two kinds begin with the same fields.
        final long first = CheckedRange.address(buffer, offset, FrameHeader.LENGTH + PublishDecoder.BLOCK_LENGTH);
        final long header = CheckedRange.getLong(buffer, first);
        final long commandId = CheckedRange.getLong(buffer, first + COMMAND_ID_OFFSET);
        final long publisherSequence = CheckedRange.getLong(buffer, first + SEQUENCE_OFFSET);
        final byte ackTypes = CheckedRange.getByte(buffer, first + ACK_TYPES_OFFSET);
        final int topicLengthAt = block + FrameHeader.blockLength(header);
        final int topicLength = buffer.getShort(topicLengthAt, LITTLE_ENDIAN) & 0xFFFF;
        final int topicAt = topicLengthAt + PublishDecoder.topicHeaderLength();
        if (context.isDraining()) {
            context.refuse(
                    session,
                    commandId,
                    0,
                    publisherSequence,
                    ErrorCode.SHUTTING_DOWN,
                    "publish: broker is shutting down" + TRY_AGAIN);
            return true;
        }
        TopicAccess access = session.topics().lastPublished();
        if (access == null || !TopicIndex.equal(access.name(), buffer, topicAt, topicLength) || !access.isThere()) {
            final Topic topic = topic(session, commandId, publisherSequence, buffer, topicAt, topicLength);
            if (topic == null) {
                // Refused, or asked for.
                return session.commands().pending() == null;
            }
            access = context.topics().access(session, topic);
            session.topics().lastPublished(access);
        }
        int payloadLengthAt = topicAt + topicLength;
        if (FrameHeader.templateId(header) == PublishStateDecoder.TEMPLATE_ID) {
            payloadLengthAt = fields.read(header, buffer, block, payloadLengthAt);
        } else {
            fields.clear();
        }
        return publish(
                session,
                access,
                commandId,
                publisherSequence,
                ackTypes,
                buffer,
                payloadLengthAt + PublishDecoder.payloadHeaderLength(),
                buffer.getInt(payloadLengthAt, LITTLE_ENDIAN) - fields.headersLength(),
                slot);
    }

    private boolean publish(
            final Session session,
            final TopicAccess access,
            final long commandId,
            final long publisherSequence,
            final int ackTypes,
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final @Nullable StagingSlot slot) {
        final String badHeaders = fields.checkHeaders(buffer, offset, length);
        final String badOptions = fields.checkOptions();
        if (badHeaders != null || badOptions != null) {
            context.refuse(
                    session,
                    commandId,
                    0,
                    publisherSequence,
                    badHeaders == null ? ErrorCode.NOT_SUPPORTED : ErrorCode.BAD_HEADER,
                    "publish to " + access.topic().name() + ": " + (badHeaders == null ? badOptions : badHeaders));
            return true;
        }
        final ErrorCode refusal = check(session, access, ackTypes, length, publisherSequence);
        if (refusal != null) {
            context.refuse(
                    session,
                    commandId,
                    0,
                    publisherSequence,
                    refusal,
                    texts.of(refusal, session, access, ackTypes, length, publisherSequence));
            return true;
        }
        final Topic topic = access.topic();
        final ShardPort port = context.shards().port(topic.shard());
        int publisherId = 0;
        if (publisherSequence > 0 && !session.profile().name().isEmpty()) {
            publisherId = session.publishing().publisherId(topic.shard());
            if (publisherId == 0) {
                openPublisher(session, topic.shard());
                return false;
            }
        }
        if (!session.commands().acks().hasRoom(1)) {
            return false;
        }
        final MessageIntake intake = access.intake();
        final String wrong = intake.validate(buffer, offset, length, fields.headersLength());
        if (wrong != null) {
            context.refuse(
                    session,
                    commandId,
                    0,
                    publisherSequence,
                    ErrorCode.BAD_MESSAGE,
                    "publish to " + topic.name() + ": " + wrong + " (the topic's format is "
                            + topic.format().name() + ")");
            return true;
        }
        if (!intake.isAllowed() || (fields.isDelta() && !access.mayPublishDelta())) {
            texts.refuseContent(session, access, commandId, publisherSequence, fields.isDelta());
            return true;
        }
        publication
                .of(topic.id(), publisherId, publisherSequence)
                .payload(buffer, offset, length)
                .headers(fields.headersLength());
        if (fields.isRequest()) {
            publication.request().from(session.id(), commandId);
        }
        if (topic.state() != null || fields.isForState()) {
            final String wrongKey = readChange(session, access, commandId, buffer);
            if (wrongKey != null) {
                context.refuse(
                        session,
                        commandId,
                        0,
                        publisherSequence,
                        topic.state() == null ? ErrorCode.NO_STATE : ErrorCode.BAD_KEY,
                        "publish to " + topic.name() + ": " + wrongKey);
                return true;
            }
        }
        final boolean taken = slot == null ? port.publish(publication) : port.publishStaged(publication, slot);
        if (!taken) {
            return false;
        }
        session.publishing().lastSubmission(topic.shard(), port.submitted());
        if (publisherId != 0 && publisherSequence > session.publishing().publisherSequence()) {
            session.publishing().publisherSequence(publisherSequence);
        }
        context.counters().messagesReceived().incrementPlain();
        context.counters().payloadBytesReceived().getAndAddPlain(length);
        if (ackTypes != 0) {
            session.commands().acks().add(AckQueue.KIND_PUBLISH, ackTypes, commandId, publisherSequence, port);
        }
        return true;
    }

    /** Reads what a message does to its record. Returns null, or what is wrong. */
    private @Nullable String readChange(
            final Session session, final TopicAccess access, final long commandId, final DirectBuffer buffer) {
        final StateRule rule = access.topic().state();
        if (rule == null) {
            return "the topic keeps no state (publish without key, expiration and delta, or declare it with a key)";
        }
        if (rule.isView()) {
            return "the topic is a view (publish to what it is computed from)";
        }
        final String badExpiration = fields.checkExpiration();
        if (badExpiration != null) {
            return badExpiration;
        }
        final boolean isDelta = fields.isDelta();
        if (isDelta && !access.topic().format().editorSupport().canMerge()) {
            return "delta: format " + access.topic().format().name()
                    + (access.topic().format().hasFields() ? " cannot merge" : " has no fields")
                    + " (publish whole messages)";
        }
        final KeyReader reader = access.intake().key();
        if (reader == null) {
            final int keyLength = fields.keyLength();
            if (keyLength == 0 || keyLength > KeyReader.KEY_LENGTH_MAX) {
                return "key: of " + keyLength + " bytes (give one of 1 to " + KeyReader.KEY_LENGTH_MAX + ")";
            }
            publication
                    .record(buffer, fields.keyOffset(), keyLength, isDelta, fields.expirationNs())
                    .from(session.id(), commandId);
            return null;
        }
        if (fields.keyLength() != 0) {
            return "key: given, but the topic's key is " + rule.key() + " (leave it out)";
        }
        final String wrong = reader.read();
        if (wrong == null) {
            publication
                    .record(reader.buffer(), 0, reader.length(), isDelta, fields.expirationNs())
                    .from(session.id(), commandId);
        }
        return wrong;
    }

    private @Nullable ErrorCode check(
            final Session session,
            final TopicAccess access,
            final int ackTypes,
            final int length,
            final long publisherSequence) {
        if (!access.mayPublish()) {
            return ErrorCode.NOT_AUTHORIZED;
        }
        if (length > context.settings().limits().messageLengthMax()) {
            return ErrorCode.MESSAGE_TOO_LONG;
        }
        if ((ackTypes & ~(access.isJournaled() ? ACKS_SUPPORTED | ACK_PERSISTED : ACKS_SUPPORTED)) != 0) {
            return ErrorCode.NOT_SUPPORTED;
        }
        final ErrorCode refusal = access.isJournaled()
                ? texts.checkJournal(session, access.topic().shard(), publisherSequence)
                : null;
        if (refusal != null) {
            return refusal;
        }
        if (publisherSequence <= 0 || session.profile().name().isEmpty()) {
            return null;
        }
        if (publisherSequence > texts.sequenceMax(session)) {
            return ErrorCode.BAD_SEQUENCE;
        }
        final int shard = access.topic().shard();
        return session.publishing().publisherId(shard) == OpenPublisher.LIMIT_REACHED
                        || isOverQuota(session, shard, publisherSequence)
                ? ErrorCode.LIMIT_REACHED
                : null;
    }

    /** Whether there may be no new name, or may have been none; the shard is asked anew when what was refused comes again. */
    private static boolean isOverQuota(final Session session, final int shard, final long publisherSequence) {
        if (session.publishing().publisherId(shard) == OpenPublisher.QUOTA_REACHED) {
            session.publishing().publisherId(shard, 0);
            session.publishing().overQuota().add(shard, publisherSequence);
            return true;
        }
        return session.publishing().overQuota().blocks(shard, publisherSequence);
    }

    /** The topic of a name; null when it is asked for, or was refused. */
    private @Nullable Topic topic(
            final Session session,
            final long commandId,
            final long publisherSequence,
            final DirectBuffer buffer,
            final int offset,
            final int length) {
        final Topic known = context.topics().find(buffer, offset, length);
        return known != null ? known : openTopic(session, commandId, publisherSequence, buffer, offset, length);
    }

    private @Nullable Topic openTopic(
            final Session session,
            final long commandId,
            final long publisherSequence,
            final DirectBuffer buffer,
            final int offset,
            final int length) {
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        final String name = new String(bytes, UTF_8);
        final String wrong = Topic.checkName(name);
        if (wrong != null) {
            context.refuse(session, commandId, 0, publisherSequence, ErrorCode.BAD_TOPIC, wrong);
            return null;
        }
        if (session.publishing().isTopicRefused()) {
            session.publishing().isTopicRefused(false);
            context.refuse(
                    session,
                    commandId,
                    0,
                    publisherSequence,
                    ErrorCode.LIMIT_REACHED,
                    "topic: no more topics: " + name + " (use one that exists, or raise sessions.topicCountMax)");
            return null;
        }
        final Topic topic = context.topics().find(name);
        if (topic != null) {
            context.topics().learn(topic);
            return topic;
        }
        if (!context.gate().allows(session.profile().principal(), Action.PUBLISH, name)) {
            // In the words for a topic that is there.
            context.refuse(
                    session,
                    commandId,
                    0,
                    publisherSequence,
                    ErrorCode.NOT_AUTHORIZED,
                    PublishRefusals.notAllowed(context.gate(), session, name));
            return null;
        }
        creator.open(
                session,
                commandId,
                publisherSequence,
                name,
                context.topics().rules().format(name).name(),
                context.topics().rules().state(name),
                PublishHandler::onTopicOpened);
        return null;
    }

    private static void onTopicOpened(final Session session, final ShardCommand reply) {
        session.publishing().isTopicRefused(((OpenTopic) reply).topic() == null);
    }

    /** A name is counted before the shard is asked, as the shard decides alike wherever it is. */
    private void openPublisher(final Session session, final int shard) {
        final boolean isCounted = !session.publishing().isPublisherKnown(shard)
                && context.settings().quotas().createdPublishers().take(session.identity());
        session.commands().pending(new PendingCommand(1, this::onPublisherOpened, done -> {}));
        context.shards()
                .submit(
                        shard,
                        new OpenPublisher(
                                context.settings().ioAgent(),
                                session.id(),
                                shard,
                                session.profile().publisherName(),
                                isCounted ? session.identity() : ""));
    }

    /** A shard has replied, maybe to a client that has disconnected. */
    public void onPublisherOpened(final OpenPublisher opened) {
        if (!opened.isCreated() && !opened.identity().isEmpty()) {
            context.settings().quotas().createdPublishers().giveBack(opened.identity());
        }
    }

    private void onPublisherOpened(final Session session, final ShardCommand reply) {
        final OpenPublisher opened = (OpenPublisher) reply;
        onPublisherOpened(opened);
        context.publishers().onOpened(session, opened.shardIndex(), opened.publisherId());
    }
}
