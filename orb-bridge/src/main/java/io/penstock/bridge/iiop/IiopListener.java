package io.penstock.bridge.iiop;

import io.penstock.bridge.callback.KeptListener;
import io.penstock.bridge.giop.GiopClient;
import io.penstock.bridge.giop.Ior;
import io.penstock.orb.BrokerException;
import io.penstock.orb.DeliveryWithHeaders;
import java.util.function.Predicate;

/** Calls a client's object by IIOP. The caller bounds the time that this may take. Safe on any thread. */
final class IiopListener extends KeptListener<GiopClient> {
    /** Answers have no data but exceptions. */
    private static final int ANSWER_LENGTH_MAX = 64 * 1024;

    private final Ior reference;
    private final boolean isWithHeaders;
    private final int fragmentLength;
    private final Predicate<String> mayForward;

    /**
     * Calls nobody yet.
     *
     * @param reference      whom to call.
     * @param isWithHeaders  whether it takes headers.
     * @param fragmentLength of the calls to it.
     * @param mayForward     whether it may send the bridge to another host.
     */
    IiopListener(
            final Ior reference,
            final boolean isWithHeaders,
            final int fragmentLength,
            final Predicate<String> mayForward) {
        super(reference.host() + ":" + reference.port());
        this.reference = reference;
        this.isWithHeaders = isWithHeaders;
        this.fragmentLength = fragmentLength;
        this.mayForward = mayForward;
    }

    @Override
    public void onMessages(final long subscription, final DeliveryWithHeaders[] deliveries) throws Exception {
        call(client -> client.call(
                isWithHeaders ? "onMessagesWithHeaders" : "onMessages",
                out -> {
                    out.writeLong(subscription);
                    Values.write(out, deliveries, isWithHeaders);
                },
                GiopClient.Results.NONE));
    }

    @Override
    public void onEnd(final long subscription, final BrokerException reason) throws Exception {
        call(client -> client.call(
                "onEnd",
                out -> {
                    out.writeLong(subscription);
                    out.writeInt(reason.code());
                    out.text(reason.name());
                    out.text(reason.text());
                },
                GiopClient.Results.NONE));
    }

    @Override
    protected GiopClient newConnection() {
        return new GiopClient(reference, ANSWER_LENGTH_MAX, fragmentLength, 0, mayForward);
    }

    @Override
    protected void close(final GiopClient unused) {
        unused.close();
    }
}
