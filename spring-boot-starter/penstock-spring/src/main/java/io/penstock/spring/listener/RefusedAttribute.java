package io.penstock.spring.listener;

import io.penstock.client.PenstockException;

/** The attribute of a listener that a refused subscription comes from. */
final class RefusedAttribute {
    private RefusedAttribute() {}

    /** Returns its name; empty when the reason tells none. */
    static String of(final ListenerSubscription subscription, final RuntimeException reason) {
        if (reason instanceof IllegalStateException && subscription.isDurable()) {
            // Without a bookmark store, or with a name that is in use.
            return "durable";
        }
        if (!(reason instanceof PenstockException refusal) || refusal.errorCode() == null) {
            return "";
        }
        return switch (refusal.errorCode()) {
            case BAD_TOPIC, NOT_FOUND, NOT_AUTHORIZED -> "topic";
            case BAD_PATTERN -> "pattern";
            case BAD_FILTER -> "filter";
            case NO_STATE -> subscription.stateAttribute();
            case BAD_QUERY -> "select";
            case BOOKMARK_NOT_FOUND -> "from";
            case BAD_TEXT -> "durable";
            default -> "";
        };
    }
}
