package io.penstock.broker.session;

import io.penstock.broker.security.Action;
import io.penstock.broker.security.Principal;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.codec.AckType;
import io.penstock.protocol.codec.ResetPublisherDecoder;

/** Takes commands of administrators. Confined to one I/O agent. */
final class AdministrationHandler {
    private static final int PROCESSED = 1 << AckType.PROCESSED.value();

    private final SessionContext context;

    AdministrationHandler(final SessionContext context) {
        this.context = context;
    }

    void onResetPublisher(final Session session, final ResetPublisherDecoder command) {
        final long commandId = command.commandId();
        final long publisherSequence = command.publisherSequence();
        final int ackTypes = command.ackTypes().getRaw();
        final String name = command.clientName();
        final String user = command.user();
        if (!isAllowed(session, commandId, Action.RESET_PUBLISHER, "reset publisher", name)) {
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
        final String publisher = ClientDirectory.key(user.isEmpty() ? Principal.ANONYMOUS.name() : user, name);
        final int[] known = new int[1];
        session.pending = new PendingCommand(
                context.ports.length,
                (of, reply) -> known[0] += ((ShardCommand.ResetPublisher) reply).isKnown ? 1 : 0,
                done -> {
                    if (known[0] == 0) {
                        refuse(
                                done,
                                commandId,
                                ErrorCode.NOT_FOUND,
                                "reset publisher: no such publisher: client " + name + " of "
                                        + (user.isEmpty() ? Principal.ANONYMOUS.name() : "user " + user)
                                        + " (give the names that it logs on with)");
                    } else if ((ackTypes & PROCESSED) != 0) {
                        context.answers.ack(done.outbox, commandId, 0, AckType.PROCESSED, known[0]);
                    }
                });
        for (int shard = 0; shard < context.ports.length; shard++) {
            context.submit(
                    shard,
                    new ShardCommand.ResetPublisher(
                            context.settings.ioAgent(), session.id, publisher, publisherSequence));
        }
    }

    private boolean isAllowed(
            final Session session, final long commandId, final Action action, final String what, final String about) {
        if (context.draining) {
            refuse(
                    session,
                    commandId,
                    ErrorCode.SHUTTING_DOWN,
                    what + ": broker is shutting down (connect again later)");
            return false;
        }
        if (!context.gate.allowsAdministration(session.principal, session.connection.isLocal(), action, about)) {
            refuse(
                    session,
                    commandId,
                    ErrorCode.NOT_AUTHORIZED,
                    what + " " + about + ": not allowed for " + session.principal.name()
                            + " (log on as an administrator, or see security.anonymousAdministration)");
            return false;
        }
        return true;
    }

    private void refuse(final Session session, final long commandId, final ErrorCode code, final String text) {
        context.refuse(session, commandId, 0, 0, code, text);
    }
}
