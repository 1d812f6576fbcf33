package io.penstock.admin.api;

import io.penstock.admin.http.Exchange;
import java.util.List;

/** Answers one kind of request. */
@FunctionalInterface
interface Endpoint {
    /**
     * Answers a request, now or later.
     *
     * @param exchange  to be answered.
     * @param caller    who asks, and may.
     * @param arguments what stands in the path in place of the names in braces.
     */
    void handle(Exchange exchange, Caller caller, List<String> arguments);
}
