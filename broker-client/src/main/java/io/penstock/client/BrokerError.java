package io.penstock.client;

import io.penstock.protocol.ErrorCode;
import org.jspecify.annotations.Nullable;

/**
 * An error as the broker sent it.
 *
 * @param commandId         of the command that failed; 0 = of none.
 * @param subscriptionId    that has ended, or was refused; 0 = none.
 * @param publisherSequence of the refused publish; 0 = none.
 * @param errorCode         null when it is newer than this client.
 * @param name              of the code.
 * @param text              input, reason and remedy.
 * @param isFatal           whether the broker closes the connection.
 */
public record BrokerError(
        long commandId,
        long subscriptionId,
        long publisherSequence,
        @Nullable ErrorCode errorCode,
        String name,
        String text,
        boolean isFatal) {
    /**
     * The same as an exception.
     *
     * @return a new one, with the error's code, and its text or else its name.
     */
    public PenstockException toException() {
        return new PenstockException(errorCode, text.isEmpty() ? name : text);
    }
}
