package io.penstock.client;

import io.penstock.protocol.ErrorCode;
import org.jspecify.annotations.Nullable;

/**
 * A connection that was lost, or an attempt to replace it that failed.
 *
 * @param reason              why, for people.
 * @param errorCode           of the broker's last word; null when it gave none.
 * @param attempt             0 when the connection was lost; the number of the attempt to reconnect that failed.
 * @param unacknowledgedCount publishes whose requested acknowledgement will never come; each was notified of that.
 */
public record Disconnect(String reason, @Nullable ErrorCode errorCode, int attempt, int unacknowledgedCount) {
    /**
     * Whether to connect again is of any use: the broker neither refused this client nor gave its name to another.
     *
     * @return false for refusals that a new attempt would meet again.
     */
    public boolean isTransient() {
        return errorCode != ErrorCode.REPLACED
                && errorCode != ErrorCode.AUTHENTICATION_FAILED
                && errorCode != ErrorCode.NOT_AUTHORIZED
                && errorCode != ErrorCode.UNSUPPORTED_VERSION;
    }
}
