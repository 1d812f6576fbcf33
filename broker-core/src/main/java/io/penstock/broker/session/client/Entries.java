package io.penstock.broker.session.client;

/** A list that is being sent to a client, as fast as the client takes it. Confined to the client's I/O agent. */
@FunctionalInterface
public interface Entries {
    /** Sends the next entry, or the acknowledgement that ends the list. Returns false when that was sent. */
    boolean sendNext(Session session);
}
