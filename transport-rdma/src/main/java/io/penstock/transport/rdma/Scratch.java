package io.penstock.transport.rdma;

import io.penstock.transport.rdma.verbs.Completions;
import io.penstock.transport.rdma.verbs.ReceiveRequests;
import io.penstock.transport.rdma.verbs.SendRequests;

/** Arrays that all connections of an agent fill and post, one after the other. */
final class Scratch {
    /** Requests and completions of one call. */
    static final int BATCH = 32;

    final SendRequests sends = new SendRequests(BATCH);
    final ReceiveRequests receives = new ReceiveRequests(BATCH);
    final Completions completions = new Completions(BATCH);
}
