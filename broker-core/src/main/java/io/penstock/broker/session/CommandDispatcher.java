package io.penstock.broker.session;

import io.penstock.broker.security.AuthenticationStep;
import io.penstock.broker.session.client.FrameAssembler;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.client.TopicAccess;
import io.penstock.broker.session.connect.AdministrationHandler;
import io.penstock.broker.session.connect.LogonHandler;
import io.penstock.broker.session.connect.StatHandler;
import io.penstock.broker.session.publish.DeclareHandler;
import io.penstock.broker.session.publish.PublishHandler;
import io.penstock.broker.session.publish.TopicCreator;
import io.penstock.broker.session.query.SowHandler;
import io.penstock.broker.session.send.AckQueue;
import io.penstock.broker.session.sink.SinkHandler;
import io.penstock.broker.session.subscribe.PaceHandler;
import io.penstock.broker.session.subscribe.ReplayHandler;
import io.penstock.broker.session.subscribe.SubscribeHandler;
import io.penstock.broker.shard.command.ChangeFilter;
import io.penstock.broker.shard.command.DeleteTopic;
import io.penstock.broker.shard.command.OpenPublisher;
import io.penstock.broker.shard.command.OpenQuery;
import io.penstock.broker.shard.command.OpenState;
import io.penstock.broker.shard.command.OpenTopic;
import io.penstock.broker.shard.command.ResetPublisher;
import io.penstock.broker.shard.command.ShardCommand;
import io.penstock.broker.shard.command.Subscribe;
import io.penstock.broker.staging.StagingSlot;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.FrameCheck;
import io.penstock.protocol.FrameHeader;
import io.penstock.protocol.codec.AckType;
import io.penstock.protocol.codec.AuthResponseDecoder;
import io.penstock.protocol.codec.BlockDataDecoder;
import io.penstock.protocol.codec.CloseSinkDecoder;
import io.penstock.protocol.codec.DeclareTopicDecoder;
import io.penstock.protocol.codec.DeleteTopicDecoder;
import io.penstock.protocol.codec.FlushDecoder;
import io.penstock.protocol.codec.HeartbeatDecoder;
import io.penstock.protocol.codec.LogonDecoder;
import io.penstock.protocol.codec.MessageHeaderDecoder;
import io.penstock.protocol.codec.OfferBlockDecoder;
import io.penstock.protocol.codec.OpenSinkDecoder;
import io.penstock.protocol.codec.PaceDecoder;
import io.penstock.protocol.codec.PublishDecoder;
import io.penstock.protocol.codec.PublishStateDecoder;
import io.penstock.protocol.codec.ResetPublisherDecoder;
import io.penstock.protocol.codec.SowDecoder;
import io.penstock.protocol.codec.SowDeleteDecoder;
import io.penstock.protocol.codec.StatDecoder;
import io.penstock.protocol.codec.SubscribeDecoder;
import io.penstock.protocol.codec.SubscribeFromDecoder;
import io.penstock.protocol.codec.TopicsDecoder;
import io.penstock.protocol.codec.UnsubscribeDecoder;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Checks each frame of a client and gives it to the handler of that command. An invalid frame ends its own session and
 * no other. Confined to one I/O agent.
 */
final class CommandDispatcher {
    private static final int COMPLETED = 1 << AckType.COMPLETED.value();

    private final SessionContext context;
    private final LogonHandler logonHandler;
    private final TopicCreator creator;
    private final PublishHandler publishHandler;
    private final SubscribeHandler subscribeHandler;
    private final ReplayHandler replayHandler;
    private final PaceHandler paceHandler;
    private final SowHandler sowHandler;
    private final StatHandler statHandler;
    private final SinkHandler sinkHandler;
    private final DeclareHandler declareHandler;
    private final AdministrationHandler administrationHandler;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final FlushDecoder flush = new FlushDecoder();
    private final CommandTracer tracer = new CommandTracer();

    CommandDispatcher(
            final SessionContext context,
            final LogonHandler logonHandler,
            final SubscribeHandler subscribeHandler,
            final ReplayHandler replayHandler,
            final PaceHandler paceHandler,
            final SowHandler sowHandler,
            final StatHandler statHandler,
            final SinkHandler sinkHandler) {
        this.context = context;
        this.logonHandler = logonHandler;
        this.subscribeHandler = subscribeHandler;
        this.replayHandler = replayHandler;
        this.paceHandler = paceHandler;
        this.sowHandler = sowHandler;
        this.statHandler = statHandler;
        this.sinkHandler = sinkHandler;
        creator = new TopicCreator(context);
        publishHandler = new PublishHandler(context, creator);
        declareHandler = new DeclareHandler(context, creator);
        administrationHandler = new AdministrationHandler(context);
    }

    /** A client's proof was looked at. */
    void onChecked(final Session session, final AuthenticationStep step) {
        logonHandler.onChecked(session, step);
    }

    /** A shard has executed a command of a client that has disconnected. */
    void onLateReply(final ShardCommand reply) {
        if (reply instanceof OpenQuery opened) {
            context.shards().closeSources(opened.sources());
        } else if (reply instanceof ChangeFilter changed) {
            context.shards().closeSources(changed.sources());
        } else if (reply instanceof OpenState state) {
            context.shards().closeSources(state.sources());
        } else if (reply instanceof Subscribe subscribed) {
            context.shards().closeSources(subscribed.sources());
        } else if (reply instanceof OpenTopic opened) {
            creator.onOpened(opened);
        } else if (reply instanceof OpenPublisher opened) {
            publishHandler.onPublisherOpened(opened);
        } else if (reply instanceof ResetPublisher reset) {
            administrationHandler.onReset(reset);
        } else if (reply instanceof DeleteTopic deleted) {
            administrationHandler.onDeleted(deleted);
        }
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
            context.counters().readsRefused().incrementPlain();
            onHeldUp(session);
            return false;
        }
        if (length == frameLength) {
            final ErrorCode wrong = FrameCheck.checkCommand(buffer, offset, length);
            return wrong == null
                    ? onFrame(session, buffer, offset, length, null)
                    : onBadFrame(session, wrong, buffer, offset);
        }
        return onLongFrame(session, buffer, offset, length, frameOffset, frameLength);
    }

    /** A client is notified of ended subscriptions before it is read again, since it may use their ids anew. */
    private static boolean isReadable(final Session session) {
        return session.commands().pending() == null
                && !session.profile().isChecked()
                && session.commands().entries() == null
                && session.subscriptions().ended().isEmpty()
                && session.outbox().hasRoom()
                && session.commands().refusals().isEmpty();
    }

    /** Time in which a client is not read does not count against it, unless it does not take what is sent to it. */
    private void onHeldUp(final Session session) {
        if (session.outbox().isEmpty()) {
            session.assembler().onProgress(context.time().readableNs());
        }
    }

    private boolean onLongFrame(
            final Session session,
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final int frameOffset,
            final int frameLength) {
        final FrameAssembler assembler = session.assembler();
        if (frameOffset == 0 && !assembler.isBusy()) {
            final ErrorCode wrong = FrameCheck.checkCommand(buffer, offset, length, frameLength);
            if (wrong != null) {
                return onBadFrame(session, wrong, buffer, offset);
            }
            if (session.state() != Session.State.ACTIVE) {
                return onBadFrame(session, ErrorCode.NOT_LOGGED_ON, buffer, offset);
            }
            if (isHeldBack(session, FrameHeader.templateId(buffer, offset))) {
                return false;
            }
            if (!context.staging().begin(session, frameLength, context.time().readableNs())) {
                context.counters().readsRefused().incrementPlain();
                return false;
            }
        }
        final StagingSlot slot = assembler.slot();
        if (slot == null) {
            throw new IllegalStateException("fragment at " + frameOffset + " without a beginning");
        }
        assembler.add(buffer, offset, length, frameOffset, context.time().readableNs());
        if (frameOffset + length < frameLength) {
            return true;
        }
        if (!onFrame(session, slot.buffer(), 0, frameLength, slot)) {
            onHeldUp(session);
            return false;
        }
        context.staging().detach(session);
        context.counters().payloadBytesCopied().getAndAddPlain(frameLength);
        // Whatever became of the message, its shard has no more use for the slot once it has caught up.
        final TopicAccess access = session.topics().lastPublished();
        context.staging()
                .onSubmitted(
                        slot,
                        context.shards()
                                .port(access == null ? 0 : access.topic().shard()));
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
            final Session session,
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final @Nullable StagingSlot slot) {
        final boolean isTaken = onCommand(session, buffer, offset, length, slot);
        if (isTaken && session.commands().trace() != null) {
            tracer.onCommand(session, buffer, offset, length, context.nowNs());
        }
        return isTaken;
    }

    private boolean onCommand(
            final Session session,
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final @Nullable StagingSlot slot) {
        final int templateId = FrameHeader.templateId(buffer, offset);
        if (isPublish(templateId) && session.state() == Session.State.ACTIVE) {
            return onPublish(session, templateId, buffer, offset, length, slot);
        }
        if (templateId == HeartbeatDecoder.TEMPLATE_ID) {
            return true;
        }
        if (templateId == LogonDecoder.TEMPLATE_ID) {
            logonHandler.onLogon(session, buffer, offset);
            return true;
        }
        if (templateId == AuthResponseDecoder.TEMPLATE_ID) {
            logonHandler.onAuthResponse(session, buffer, offset);
            return true;
        }
        if (session.state() != Session.State.ACTIVE) {
            return onBadFrame(session, ErrorCode.NOT_LOGGED_ON, buffer, offset);
        }
        if (templateId == BlockDataDecoder.TEMPLATE_ID) {
            return sinkHandler.onData(session, buffer, offset, length);
        }
        return isCaughtUp(session) && sinkHandler.hasRoom() && onControl(session, templateId, buffer, offset);
    }

    private static boolean isPublish(final int templateId) {
        return templateId == PublishDecoder.TEMPLATE_ID || templateId == PublishStateDecoder.TEMPLATE_ID;
    }

    /** A long frame is held back at its beginning alone, when it has no room yet. */
    private boolean onPublish(
            final Session session,
            final int templateId,
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final @Nullable StagingSlot slot) {
        if ((slot == null && isHeldBack(session, templateId))
                || !publishHandler.onPublish(session, buffer, offset, slot)) {
            return false;
        }
        session.profile().use().onPublished(length, context.nowNs());
        return true;
    }

    /** Whether a message waits because its identity publishes faster than it may, as it would for a shard without room. */
    private boolean isHeldBack(final Session session, final int templateId) {
        if (!isPublish(templateId) || !context.isOverRate(session)) {
            return false;
        }
        context.counters().readsRefused().incrementPlain();
        onHeldUp(session);
        return true;
    }

    /** Commands overtake no message of their own session. */
    private boolean isCaughtUp(final Session session) {
        for (int i = 0; i < context.shards().count(); i++) {
            if (context.shards().port(i).processed() < session.publishing().lastSubmission(i)) {
                return false;
            }
        }
        return true;
    }

    private boolean onControl(
            final Session session, final int templateId, final DirectBuffer buffer, final int offset) {
        switch (templateId) {
            case SubscribeDecoder.TEMPLATE_ID -> subscribeHandler.onSubscribe(session, buffer, offset);
            case SubscribeFromDecoder.TEMPLATE_ID -> replayHandler.onSubscribeFrom(session, buffer, offset);
            case PaceDecoder.TEMPLATE_ID -> paceHandler.onPace(session, buffer, offset);
            case UnsubscribeDecoder.TEMPLATE_ID -> subscribeHandler.onUnsubscribe(session, buffer, offset);
            case FlushDecoder.TEMPLATE_ID -> {
                if (!session.commands().acks().hasRoom(1)) {
                    return false;
                }
                flush.wrapAndApplyHeader(buffer, offset, header);
                // All messages before it were processed, and so enqueued for their subscribers' agents.
                session.commands()
                        .acks()
                        .add(
                                AckQueue.KIND_OTHER,
                                COMPLETED,
                                flush.commandId(),
                                0,
                                context.shards().port(0));
            }
            case StatDecoder.TEMPLATE_ID -> statHandler.onStat(session, buffer, offset);
            case TopicsDecoder.TEMPLATE_ID -> statHandler.onTopics(session, buffer, offset);
            case SowDecoder.TEMPLATE_ID -> sowHandler.onSow(session, buffer, offset);
            case SowDeleteDecoder.TEMPLATE_ID -> sowHandler.onSowDelete(session, buffer, offset);
            case DeclareTopicDecoder.TEMPLATE_ID -> declareHandler.onDeclareTopic(session, buffer, offset);
            case OpenSinkDecoder.TEMPLATE_ID -> sinkHandler.onOpen(session, buffer, offset);
            case OfferBlockDecoder.TEMPLATE_ID -> sinkHandler.onOffer(session, buffer, offset);
            case CloseSinkDecoder.TEMPLATE_ID -> sinkHandler.onClose(session, buffer, offset);
            case ResetPublisherDecoder.TEMPLATE_ID -> administrationHandler.onResetPublisher(session, buffer, offset);
            case DeleteTopicDecoder.TEMPLATE_ID -> administrationHandler.onDeleteTopic(session, buffer, offset);
            default -> onBadFrame(session, ErrorCode.UNKNOWN_COMMAND, buffer, offset);
        }
        return true;
    }
}
