package io.penstock.broker.session;

import io.penstock.broker.format.MessageFormats;
import io.penstock.broker.security.Action;
import io.penstock.broker.topic.Topic;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.FrameCheck;
import io.penstock.protocol.FrameHeader;
import io.penstock.protocol.codec.AckType;
import io.penstock.protocol.codec.DeclareTopicDecoder;
import io.penstock.protocol.codec.FlushDecoder;
import io.penstock.protocol.codec.HeartbeatDecoder;
import io.penstock.protocol.codec.LogonDecoder;
import io.penstock.protocol.codec.MessageHeaderDecoder;
import io.penstock.protocol.codec.PublishDecoder;
import io.penstock.protocol.codec.StatDecoder;
import io.penstock.protocol.codec.SubscribeDecoder;
import io.penstock.protocol.codec.TopicsDecoder;
import io.penstock.protocol.codec.UnsubscribeDecoder;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Checks each frame of a client and gives it to whoever handles that command. A frame that cannot be understood ends
 * its own session and no other. Confined to one I/O agent.
 */
final class CommandDispatcher {
    private static final int COMPLETED = 1 << AckType.COMPLETED.value();
    private static final int PROCESSED = 1 << AckType.PROCESSED.value();

    private final SessionContext context;
    private final LogonHandler logonHandler;
    private final PublishHandler publishHandler;
    private final SubscribeHandler subscribeHandler;
    private final StatHandler statHandler;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final LogonDecoder logon = new LogonDecoder();
    private final SubscribeDecoder subscribe = new SubscribeDecoder();
    private final UnsubscribeDecoder unsubscribe = new UnsubscribeDecoder();
    private final FlushDecoder flush = new FlushDecoder();
    private final StatDecoder stat = new StatDecoder();
    private final TopicsDecoder topics = new TopicsDecoder();
    private final DeclareTopicDecoder declareTopic = new DeclareTopicDecoder();

    CommandDispatcher(
            final SessionContext context,
            final LogonHandler logonHandler,
            final PublishHandler publishHandler,
            final SubscribeHandler subscribeHandler,
            final StatHandler statHandler) {
        this.context = context;
        this.logonHandler = logonHandler;
        this.publishHandler = publishHandler;
        this.subscribeHandler = subscribeHandler;
        this.statHandler = statHandler;
    }

    /** Handles a fragment, as {@link io.penstock.transport.TransportHandler#onFragment} defines it. */
    boolean onFragment(
            final Session session,
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final int frameOffset,
            final int frameLength) {
        if (!session.isOpen()) {
            return true;
        }
        if (!isReadable(session)) {
            context.counters.readsRefused.incrementPlain();
            return false;
        }
        if (length == frameLength) {
            final ErrorCode wrong = FrameCheck.checkCommand(buffer, offset, length);
            return wrong == null ? onFrame(session, buffer, offset, null) : onBadFrame(session, wrong, buffer, offset);
        }
        return onLongFrame(session, buffer, offset, length, frameOffset, frameLength);
    }

    /** A client is told what has ended before it is read again, since it may use a subscription's id anew. */
    private static boolean isReadable(final Session session) {
        return session.pending == null
                && session.entries == null
                && session.ended.isEmpty()
                && session.outbox.hasRoom();
    }

    private boolean onLongFrame(
            final Session session,
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final int frameOffset,
            final int frameLength) {
        final FrameAssembler assembler = session.assembler;
        if (frameOffset == 0 && !assembler.isBusy()) {
            final ErrorCode wrong = FrameCheck.checkCommand(buffer, offset, length, frameLength);
            if (wrong != null) {
                return onBadFrame(session, wrong, buffer, offset);
            }
            if (session.state != Session.State.ACTIVE) {
                return onBadFrame(session, ErrorCode.NOT_LOGGED_ON, buffer, offset);
            }
            if (!assembler.begin(frameLength, context.nowNs)) {
                context.counters.readsRefused.incrementPlain();
                return false;
            }
        }
        final StagingSlot slot = assembler.slot();
        if (slot == null) {
            throw new IllegalStateException("fragment at " + frameOffset + " without a beginning");
        }
        assembler.add(buffer, offset, length, frameOffset);
        if (frameOffset + length < frameLength) {
            return true;
        }
        if (!onFrame(session, slot.buffer(), 0, slot)) {
            return false;
        }
        assembler.detach();
        context.counters.payloadBytesCopied.getAndAddPlain(frameLength);
        // Whatever became of the message, its shard has no more use for the slot once it has caught up.
        final TopicAccess access = session.lastAccess;
        context.onStaged(slot, context.ports[access == null ? 0 : access.topic.shard()]);
        return true;
    }

    private boolean onBadFrame(
            final Session session, final ErrorCode wrong, final DirectBuffer buffer, final int offset) {
        final String text = switch (wrong) {
            case UNSUPPORTED_VERSION ->
                "frame: schema " + FrameHeader.schemaId(buffer, offset) + " version "
                        + FrameHeader.version(buffer, offset) + " (speak schema " + FrameHeader.SCHEMA_ID
                        + " version " + FrameHeader.VERSION + ")";
            case UNKNOWN_COMMAND ->
                "frame: no command has template " + FrameHeader.templateId(buffer, offset)
                        + " (see the protocol's list)";
            case NOT_LOGGED_ON -> "frame: came before the logon (log on first)";
            default -> "frame: its lengths do not fit together (see the protocol's layouts)";
        };
        context.fail(session, 0, wrong, text);
        return true;
    }

    private boolean onFrame(
            final Session session, final DirectBuffer buffer, final int offset, final @Nullable StagingSlot slot) {
        final int templateId = FrameHeader.templateId(buffer, offset);
        if (templateId == PublishDecoder.TEMPLATE_ID && session.state == Session.State.ACTIVE) {
            return publishHandler.onPublish(session, buffer, offset, slot);
        }
        if (templateId == HeartbeatDecoder.TEMPLATE_ID) {
            return true;
        }
        if (templateId == LogonDecoder.TEMPLATE_ID) {
            logonHandler.onLogon(session, logon.wrapAndApplyHeader(buffer, offset, header));
            return true;
        }
        if (session.state != Session.State.ACTIVE) {
            return onBadFrame(session, ErrorCode.NOT_LOGGED_ON, buffer, offset);
        }
        return isCaughtUp(session) && onControl(session, templateId, buffer, offset);
    }

    /** Commands overtake no message of their own session. */
    private boolean isCaughtUp(final Session session) {
        for (int i = 0; i < context.ports.length; i++) {
            if (context.ports[i].processed() < session.lastSubmissions[i]) {
                return false;
            }
        }
        return true;
    }

    private boolean onControl(
            final Session session, final int templateId, final DirectBuffer buffer, final int offset) {
        switch (templateId) {
            case SubscribeDecoder.TEMPLATE_ID ->
                subscribeHandler.onSubscribe(session, subscribe.wrapAndApplyHeader(buffer, offset, header));
            case UnsubscribeDecoder.TEMPLATE_ID ->
                subscribeHandler.onUnsubscribe(session, unsubscribe.wrapAndApplyHeader(buffer, offset, header));
            case FlushDecoder.TEMPLATE_ID -> {
                if (!session.acks.hasRoom(1)) {
                    return false;
                }
                flush.wrapAndApplyHeader(buffer, offset, header);
                // All messages before it were processed, and so described to their subscribers' agents.
                session.acks.add(AckQueue.KIND_OTHER, COMPLETED, flush.commandId(), 0, context.ports[0]);
            }
            case StatDecoder.TEMPLATE_ID -> {
                stat.wrapAndApplyHeader(buffer, offset, header);
                statHandler.onStat(session, stat.commandId(), stat.prefix());
            }
            case TopicsDecoder.TEMPLATE_ID -> {
                topics.wrapAndApplyHeader(buffer, offset, header);
                statHandler.onTopics(session, topics.commandId(), topics.prefix());
            }
            case DeclareTopicDecoder.TEMPLATE_ID ->
                onDeclareTopic(session, declareTopic.wrapAndApplyHeader(buffer, offset, header));
            default -> onBadFrame(session, ErrorCode.UNKNOWN_COMMAND, buffer, offset);
        }
        return true;
    }

    private void onDeclareTopic(final Session session, final DeclareTopicDecoder command) {
        final long commandId = command.commandId();
        final int ackTypes = command.ackTypes().getRaw();
        final String name = command.topic();
        final String format = command.format();
        final String wrong = Topic.checkName(name);
        if (wrong != null) {
            context.refuse(session, commandId, 0, 0, ErrorCode.BAD_TOPIC, wrong);
        } else if (context.draining) {
            context.refuse(
                    session,
                    commandId,
                    0,
                    0,
                    ErrorCode.SHUTTING_DOWN,
                    "declare topic: broker is shutting down (connect again later)");
        } else if (!context.gate.allows(session.principal, Action.CREATE_TOPIC, name)) {
            context.refuse(
                    session,
                    commandId,
                    0,
                    0,
                    ErrorCode.NOT_AUTHORIZED,
                    "topic: may not be created by " + session.principal.name() + ": " + name
                            + " (ask for the permission, or have it declared)");
        } else if (MessageFormats.find(format) == null) {
            context.refuse(
                    session,
                    commandId,
                    0,
                    0,
                    ErrorCode.BAD_FORMAT,
                    "topic " + name + ": no such format: " + format + " (use one of " + MessageFormats.names() + ")");
        } else {
            session.pending = new PendingCommand(
                    1, (of, reply) -> onTopicDeclared(of, reply, commandId, ackTypes, format), done -> {});
            context.submit(
                    context.rules.shard(name),
                    new ShardCommand.OpenTopic(context.settings.ioAgent(), session.id, name, format));
        }
    }

    private void onTopicDeclared(
            final Session session,
            final ShardCommand reply,
            final long commandId,
            final int ackTypes,
            final String format) {
        final ShardCommand.OpenTopic opened = (ShardCommand.OpenTopic) reply;
        final Topic topic = opened.topic;
        if (topic == null) {
            context.refuse(
                    session,
                    commandId,
                    0,
                    0,
                    ErrorCode.LIMIT_REACHED,
                    "topic: no more topics: " + opened.name
                            + " (use one that exists, or raise sessions.topicCountMax)");
        } else if (!topic.format().name().equals(format)) {
            context.refuse(
                    session,
                    commandId,
                    0,
                    0,
                    ErrorCode.BAD_FORMAT,
                    "topic " + topic.name() + ": has format " + topic.format().name() + ", not " + format
                            + " (declare it with that, or use another topic)");
        } else if ((ackTypes & PROCESSED) != 0) {
            context.answers.ack(session.outbox, commandId, 0, AckType.PROCESSED);
        }
    }
}
