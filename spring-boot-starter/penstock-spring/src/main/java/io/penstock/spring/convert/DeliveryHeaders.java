package io.penstock.spring.convert;

import java.util.Map;
import org.springframework.messaging.MessageHeaders;

/** Headers of a message that was delivered: it has no random id, and the broker's time. Immutable. */
final class DeliveryHeaders extends MessageHeaders {
    private static final long serialVersionUID = 1L;

    DeliveryHeaders(final Map<String, Object> headers, final long timestampMs) {
        super(headers, ID_VALUE_NONE, timestampMs);
    }
}
