package io.penstock.broker.session.connect;

import io.penstock.broker.security.Action;
import io.penstock.broker.security.Principal;
import io.penstock.broker.security.audit.AdministrationReport;
import io.penstock.broker.security.audit.AuditTrail;
import io.penstock.broker.session.client.ClientProfile;
import io.penstock.broker.session.client.PendingCommand;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionAudit;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.text.CommandTexts;
import io.penstock.broker.session.text.Refusal;
import io.penstock.broker.shard.command.DeleteTopic;
import io.penstock.broker.shard.command.ResetPublisher;
import io.penstock.broker.topic.Topic;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.codec.AckType;
import io.penstock.protocol.codec.DeleteTopicDecoder;
import io.penstock.protocol.codec.MessageHeaderDecoder;
import io.penstock.protocol.codec.ResetPublisherDecoder;
import org.agrona.DirectBuffer;

/** Takes commands of administrators. Confined to one I/O agent. */
public final class AdministrationHandler {
    private static final int PROCESSED = 1 << AckType.PROCESSED.value();

    private final SessionContext context;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final ResetPublisherDecoder resetPublisherCommand = new ResetPublisherDecoder();
    private final DeleteTopicDecoder deleteTopicCommand = new DeleteTopicDecoder();

    /** Makes it for the sessions of one I/O agent. */
    public AdministrationHandler(final SessionContext context) {
        this.context = context;
    }

    /** Sets the sequence of a publisher, or refuses to. */
    public void onResetPublisher(final Session session, final DirectBuffer buffer, final int offset) {
        final ResetPublisherDecoder command = resetPublisherCommand.wrapAndApplyHeader(buffer, offset, header);
        final long commandId = command.commandId();
        final long publisherSequence = command.publisherSequence();
        final int ackTypes = command.ackTypes().getRaw();
        final String name = command.clientName();
        final String user = command.user();
        final String owner = user.isEmpty() ? Principal.ANONYMOUS.name() : user;
        if (!LogonHandler.isName(name) || !LogonHandler.isName(user)) {
            refuse(
                    session,
                    commandId,
                    ErrorCode.BAD_TEXT,
                    "reset publisher: client name or user is not text or too long (give the names that it logs on with)");
            return;
        }
        if (!isAllowed(session, commandId, Action.RESET_PUBLISHER, "reset publisher", about(owner, name))
                || !hasKnownAcks(session, commandId, ackTypes, "reset publisher")) {
            return;
        }
        if (publisherSequence < 0) {
            refuse(
                    session,
                    commandId,
                    ErrorCode.BAD_SEQUENCE,
                    "reset publisher " + name + ": sequence below 0: " + publisherSequence
                            + " (give the highest that counts as applied, 0 for none)");
            return;
        }
        final String publisher = ClientProfile.publisherName(owner, name);
        final int[] known = new int[1];
        session.commands()
                .pending(new PendingCommand(
                        context.shards().count(),
                        (of, reply) -> {
                            final ResetPublisher reset = (ResetPublisher) reply;
                            onReset(reset);
                            known[0] += reset.isKnown() ? 1 : 0;
                        },
                        done -> {
                            if (known[0] == 0) {
                                refuse(
                                        done,
                                        commandId,
                                        ErrorCode.NOT_FOUND,
                                        "reset publisher: no such publisher: client " + name + " of "
                                                + (user.isEmpty() ? Principal.ANONYMOUS.name() : "user " + user)
                                                + " (give the names that it logs on with)");
                                return;
                            }
                            if ((ackTypes & PROCESSED) != 0) {
                                context.answers().ack(done.outbox(), commandId, 0, AckType.PROCESSED, known[0]);
                            }
                        }));
        final AdministrationReport report =
                report(session, "reset publisher " + owner + "/" + name + " to " + publisherSequence);
        for (int shard = 0; shard < context.shards().count(); shard++) {
            context.shards()
                    .submit(
                            shard,
                            new ResetPublisher(
                                    context.settings().ioAgent(), session.id(), publisher, publisherSequence, report));
        }
    }

    /** A shard has replied, maybe to a client that has disconnected. */
    public void onReset(final ResetPublisher reply) {
        if (reply.isKnown()) {
            reply.report().onDone();
        }
    }

    /** Has a topic deleted, or refuses to. */
    public void onDeleteTopic(final Session session, final DirectBuffer buffer, final int offset) {
        final DeleteTopicDecoder command = deleteTopicCommand.wrapAndApplyHeader(buffer, offset, header);
        final long commandId = command.commandId();
        final int ackTypes = command.ackTypes().getRaw();
        final String name = command.topic();
        final String wrong = Topic.checkName(name);
        if (wrong != null) {
            refuse(session, commandId, ErrorCode.BAD_TOPIC, "delete " + wrong);
            return;
        }
        if (!isAllowed(session, commandId, Action.DELETE_TOPIC, "delete topic", name)
                || !hasKnownAcks(session, commandId, ackTypes, "delete topic")) {
            return;
        }
        session.commands()
                .pending(new PendingCommand(
                        1, (of, reply) -> onTopicDeleted(of, commandId, ackTypes, (DeleteTopic) reply), done -> {}));
        context.shards()
                .submit(
                        context.topics().rules().shard(name),
                        new DeleteTopic(
                                context.settings().ioAgent(),
                                session.id(),
                                name,
                                context.settings().quotas().createdTopics(),
                                report(session, "delete topic " + name)));
    }

    /** A shard has replied, maybe to a client that has disconnected. */
    public void onDeleted(final DeleteTopic reply) {
        if (reply.isDeleted()) {
            reply.report().onDone();
        }
    }

    private void onTopicDeleted(
            final Session session, final long commandId, final int ackTypes, final DeleteTopic reply) {
        onDeleted(reply);
        if (reply.isDeleted()) {
            if ((ackTypes & PROCESSED) != 0) {
                context.answers().ack(session.outbox(), commandId, 0, AckType.PROCESSED, 1);
            }
        } else if (!reply.isKnown()) {
            refuse(
                    session,
                    commandId,
                    ErrorCode.NOT_FOUND,
                    "delete topic: no such topic: " + reply.name()
                            + " (give the whole name; it may be deleted already)");
        } else {
            refuse(session, commandId, ErrorCode.TOPIC_IN_USE, "delete topic " + reply.name() + ": " + reply.use());
        }
    }

    private boolean isAllowed(
            final Session session, final long commandId, final Action action, final String what, final String about) {
        if (context.isDraining()) {
            refuse(
                    session,
                    commandId,
                    ErrorCode.SHUTTING_DOWN,
                    what + ": broker is shutting down (connect again later)");
            return false;
        }
        if (context.gate().audit().refuses()) {
            refuse(session, commandId, ErrorCode.NOT_AUTHORIZED, what + ": " + AuditTrail.REFUSAL);
            return false;
        }
        if (!context.gate().allowsAdministration(session.profile().principal(), session.isLocal(), action, about)) {
            final String named = what + " " + about.replace('\n', '/');
            report(session, named).onRefused();
            refuse(
                    session,
                    commandId,
                    ErrorCode.NOT_AUTHORIZED,
                    named + ": not allowed for " + session.profile().principal().name()
                            + (session.profile().principal().equals(Principal.ANONYMOUS)
                                    ? " (log on as an administrator, or see security.anonymousAdministration)"
                                    : " (log on as an administrator, or see the permissions of its roles)"));
            return false;
        }
        return true;
    }

    /**
     * The subject of a question to the {@link io.penstock.broker.security.Authorizer}; no name has a line break in it.
     */
    private static String about(final String user, final String client) {
        return user + "\n" + client;
    }

    private boolean hasKnownAcks(final Session session, final long commandId, final int ackTypes, final String what) {
        try {
            CommandTexts.checkBits(what, "acknowledgement", ackTypes, PROCESSED, "ask for processed");
            return true;
        } catch (final Refusal refusal) {
            refuse(session, commandId, refusal.code(), refusal.text());
            return false;
        }
    }

    private AdministrationReport report(final Session session, final String what) {
        return new AdministrationReport(context.events(), context.gate().audit(), SessionAudit.client(session), what);
    }

    private void refuse(final Session session, final long commandId, final ErrorCode code, final String text) {
        context.refuse(session, commandId, 0, 0, code, text);
    }
}
