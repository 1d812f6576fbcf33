package io.penstock.bridge.service;

import io.penstock.format.header.Headers;
import io.penstock.orb.BrokerException;
import io.penstock.orb.Publication;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Messages that one call publishes, in their order. All of them can be sent: there is none when one cannot. Immutable. */
public final class Batch {
    private final String operation;
    private final List<PublishCommand> commands;

    private Batch(final String operation, final List<PublishCommand> commands) {
        this.operation = operation;
        this.commands = commands;
    }

    /**
     * Messages without headers.
     *
     * @param messages    what to publish; payloads are not copied.
     * @param isPersisted whether to wait for stable storage.
     * @return the batch.
     * @throws BrokerException when one of them is not whole, or nobody could publish it; the text says which.
     */
    public static Batch of(final @Nullable Publication @Nullable [] messages, final boolean isPersisted)
            throws BrokerException {
        return of("publishBatch", messages, each -> PublishCommand.of(each, Headers.NONE, isPersisted));
    }

    private static <T> Batch of(
            final String operation, final @Nullable T @Nullable [] messages, final Reading<T> reading)
            throws BrokerException {
        if (messages == null) {
            throw Refusals.notWhole(operation);
        }
        final List<PublishCommand> commands = new ArrayList<>(messages.length);
        for (int i = 0; i < messages.length; i++) {
            try {
                commands.add(reading.read(messages[i]));
            } catch (final BrokerException e) {
                throw refusal(operation, i, e, "");
            }
        }
        return new Batch(operation, commands);
    }

    private static BrokerException refusal(
            final String operation, final int index, final BrokerException reason, final String more) {
        return new BrokerException(
                reason.code(), reason.name(), operation + ": message " + index + ": " + reason.text() + more);
    }

    String operation() {
        return operation;
    }

    List<PublishCommand> commands() {
        return commands;
    }

    /**
     * Why a message is not published.
     *
     * @param index  of the message.
     * @param reason that it alone would be refused for.
     * @param more   what else is to be said.
     */
    BrokerException refusal(final int index, final BrokerException reason, final String more) {
        return refusal(operation, index, reason, more);
    }

    /** Makes a command of what a client has sent. */
    private interface Reading<T> {
        PublishCommand read(@Nullable T message) throws BrokerException;
    }
}
