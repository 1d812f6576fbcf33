package io.penstock.transport.rdma;

import io.penstock.transport.rdma.verbs.VerbsEndpoint;
import io.penstock.transport.rdma.verbs.VerbsHandler;
import io.penstock.transport.rdma.verbs.VerbsListener;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** What somebody hears who is no Penstock. */
final class Strangers implements VerbsHandler {
    @Nullable
    Failure failure;

    String refusal = "";

    @Override
    public void onRequest(
            final VerbsListener listener,
            final VerbsEndpoint endpoint,
            final DirectBuffer buffer,
            final int offset,
            final int length) {}

    @Override
    public void onResolved(final VerbsEndpoint endpoint) {}

    @Override
    public void onEstablished(
            final VerbsEndpoint endpoint, final DirectBuffer buffer, final int offset, final int length) {}

    @Override
    public void onFailed(
            final VerbsEndpoint endpoint,
            final Failure what,
            final int status,
            final DirectBuffer buffer,
            final int offset,
            final int length) {
        failure = what;
        refusal = Hello.refusal(buffer, offset, length);
    }

    @Override
    public void onDisconnected(final VerbsEndpoint endpoint) {}

    @Override
    public void onListenerLost(final VerbsListener listener) {}
}
