package io.penstock.broker.monitor;

import io.penstock.broker.concurrent.IoNotice;
import io.penstock.broker.security.audit.AdministrationReport;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A question or command to an I/O agent, with the future that it completes. */
public sealed interface MonitorRequest extends IoNotice {
    /** The future that is to be completed. */
    CompletableFuture<?> answer();

    /** Asks for clients from a place on. */
    record Clients(Place from, int limit, CompletableFuture<Part<ClientInfo>> answer) implements MonitorRequest {}

    /** Asks for subscriptions from a place on. */
    record Subscriptions(Place from, int limit, CompletableFuture<Part<SubscriptionInfo>> answer)
            implements MonitorRequest {}

    /** Asks for queries from a place on. */
    record Queries(Place from, int limit, CompletableFuture<Part<QueryInfo>> answer) implements MonitorRequest {}

    /** Asks for transports. */
    record Transports(CompletableFuture<List<TransportInfo>> answer) implements MonitorRequest {}

    /** Ends a session. */
    record Kick(long sessionId, AdministrationReport report, CompletableFuture<Boolean> answer)
            implements MonitorRequest {}

    /** Has the commands of a client told to somebody. */
    record Trace(long sessionId, ClientTrace trace, AdministrationReport report, CompletableFuture<Boolean> answer)
            implements MonitorRequest {}

    /** Cancels a query. */
    record Cancel(long sessionId, long commandId, AdministrationReport report, CompletableFuture<Boolean> answer)
            implements MonitorRequest {}

    /** Lets a transport take new connections, or no more. */
    record Enable(String scheme, boolean enabled, AdministrationReport report, CompletableFuture<Boolean> answer)
            implements MonitorRequest {}
}
