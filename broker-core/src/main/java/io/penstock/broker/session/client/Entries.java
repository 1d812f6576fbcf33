package io.penstock.broker.session.client;

/** A list that is being sent to a client, as fast as the client takes it. Confined to the client's I/O agent. */
@FunctionalInterface
public interface Entries {
    /** What a step has done. */
    enum Step {
        /** Sent an entry. */
        SENT,
        /** Looked at what is no entry, and sent nothing. */
        LOOKED,
        /** Sent the acknowledgement that ends the list. */
        ENDED
    }

    /** Sends the next entry, or the acknowledgement that ends the list; or only looks for it some way. */
    Step sendNext(Session session);
}
