package io.penstock.client;

import io.penstock.client.engine.ClientEngine;

/**
 * Commands of an administrator to a broker. Each call waits for the broker's answer; none may be made on the client's
 * thread. The broker decides who is an administrator.
 */
public final class Administration {
    private final ClientEngine engine;

    private Administration(final ClientEngine engine) {
        this.engine = engine;
    }

    /**
     * Administration by a client.
     *
     * @param client that is logged on.
     * @return what it may do as an administrator.
     */
    public static Administration of(final PenstockClient client) {
        return new Administration(client.engine());
    }

    /**
     * Takes back that sequences of a publisher were applied: messages above the given one are taken again, also those that
     * the broker has.
     *
     * @param clientName        by which the publisher logs on.
     * @param user              by whom it does; empty for one that proves nothing.
     * @param publisherSequence the highest that still counts as applied; 0 for none.
     * @throws PenstockException with {@code NOT_FOUND} when the broker knows no such publisher, {@code NOT_AUTHORIZED}
     *                           when this client may not do this.
     */
    public void resetPublisher(final String clientName, final String user, final long publisherSequence) {
        engine.resetPublisher(clientName, user, publisherSequence);
    }

    /**
     * Deletes a topic: its messages are delivered no more, and its state is deleted. Subscriptions to it stay, and get
     * the messages of a topic that is created with the name later; those that follow its state end with an error. When
     * the connection is lost meanwhile, the topic may be deleted or not.
     *
     * @param topic its whole name.
     * @throws PenstockException with {@code NOT_FOUND} when there is no such topic, {@code TOPIC_IN_USE} when views are
     *                           computed from it or it is one, {@code NOT_AUTHORIZED} when this client may not do this.
     */
    public void deleteTopic(final String topic) {
        engine.deleteTopic(topic);
    }
}
