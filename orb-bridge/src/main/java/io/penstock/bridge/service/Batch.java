package io.penstock.bridge.service;

import io.penstock.format.header.Headers;
import io.penstock.orb.BrokerException;
import io.penstock.orb.Publication;
import io.penstock.orb.PublicationWithHeaders;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Messages that one call publishes, in their order: all are whole, and have headers that messages can have. Immutable as
 * long as nobody writes to the payloads.
 */
public final class Batch {
    /** The operation of the contract that publishes messages with headers. */
    public static final String WITH_HEADERS = "publishBatchWithHeaders";

    private static final String WITHOUT_HEADERS = "publishBatch";

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
        return of(WITHOUT_HEADERS, messages, each -> PublishCommand.of(each, Headers.NONE, isPersisted));
    }

    /**
     * Messages with headers.
     *
     * @param messages    what to publish; payloads are not copied.
     * @param isPersisted whether to wait for stable storage.
     * @return the batch.
     * @throws BrokerException as for messages without; {@code BAD_HEADER} when one of them cannot have its headers.
     */
    public static Batch withHeaders(
            final @Nullable PublicationWithHeaders @Nullable [] messages, final boolean isPersisted)
            throws BrokerException {
        return of(WITH_HEADERS, messages, each -> {
            if (each == null) {
                throw Refusals.notWhole("message");
            }
            return PublishCommand.of(each.message(), HeaderValues.read(each.headers()), isPersisted);
        });
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
                throw refusal(operation, i, e);
            }
        }
        return new Batch(operation, commands);
    }

    /**
     * Why a message of a batch is refused.
     *
     * @param operation of the contract.
     * @param index     of the message.
     * @param reason    that it alone is refused for.
     * @return the same, with the place of the message.
     */
    public static BrokerException refusal(final String operation, final int index, final BrokerException reason) {
        return refusal(operation, index, reason, "");
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

    /** The same for this batch, with what else there is to say. */
    BrokerException refusal(final int index, final BrokerException reason, final String more) {
        return refusal(operation, index, reason, more);
    }

    /** Makes a command of what a client has sent. */
    private interface Reading<T> {
        PublishCommand read(@Nullable T message) throws BrokerException;
    }
}
