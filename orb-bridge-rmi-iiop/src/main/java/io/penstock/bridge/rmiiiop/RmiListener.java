package io.penstock.bridge.rmiiiop;

import com.sun.corba.ee.spi.orb.ORB;
import io.penstock.bridge.callback.KeptListener;
import io.penstock.bridge.giop.GiopClient;
import io.penstock.bridge.giop.Ior;
import io.penstock.bridge.service.Deliveries;
import io.penstock.orb.BrokerException;
import io.penstock.orb.Delivery;
import io.penstock.orb.DeliveryWithHeaders;
import java.io.IOException;
import java.util.function.Predicate;
import org.omg.CORBA_2_3.portable.OutputStream;

/**
 * Calls a client's object by RMI-IIOP: the ORB encodes the call, and the bridge sends it, since a call of the ORB
 * cannot be given up. The caller bounds the time that this may take. Safe on any thread.
 */
final class RmiListener extends KeptListener<GiopClient> {
    /** Answers have no data but exceptions. */
    private static final int ANSWER_LENGTH_MAX = 64 * 1024;

    private static final int FRAGMENT_LENGTH = 64 * 1024;

    private final ORB orb;
    private final Ior reference;
    private final boolean isWithHeaders;
    private final Predicate<String> mayForward;

    /**
     * Calls nobody yet.
     *
     * @param orb        for its encoding.
     * @param reference  whom to call, of GIOP 1.2.
     * @param isWithHeaders whether it takes headers.
     * @param mayForward whether it may send the bridge to another host.
     */
    RmiListener(final ORB orb, final Ior reference, final boolean isWithHeaders, final Predicate<String> mayForward) {
        super(reference.host() + ":" + reference.port());
        this.orb = orb;
        this.reference = reference;
        this.isWithHeaders = isWithHeaders;
        this.mayForward = mayForward;
    }

    @Override
    public void onMessages(final long subscription, final DeliveryWithHeaders[] deliveries) throws Exception {
        if (isWithHeaders) {
            deliver("onMessagesWithHeaders", out -> {
                out.write_longlong(subscription);
                out.write_value(deliveries, DeliveryWithHeaders[].class);
            });
            return;
        }
        deliver("onMessages", out -> {
            out.write_longlong(subscription);
            out.write_value(Deliveries.withoutHeaders(deliveries), Delivery[].class);
        });
    }

    @Override
    public void onEnd(final long subscription, final BrokerException reason) throws Exception {
        deliver("onEnd", out -> {
            out.write_longlong(subscription);
            out.write_long(reason.code());
            out.write_value(reason.name(), String.class);
            out.write_value(reason.text(), String.class);
        });
    }

    private void deliver(final String operation, final Arguments arguments) throws Exception {
        final byte[] encoded = encoded(arguments);
        call(client -> client.call(operation, out -> out.encoded(encoded), GiopClient.Results.NONE));
    }

    /** From an even place on: arguments in a message of GIOP 1.2 begin at one, too. */
    private byte[] encoded(final Arguments arguments) throws IOException {
        try (OutputStream out = (OutputStream) orb.create_output_stream()) {
            arguments.write(out);
            return ((com.sun.corba.ee.impl.encoding.EncapsOutputStream) out).toByteArray();
        }
    }

    @Override
    protected GiopClient newConnection() {
        return new GiopClient(reference, ANSWER_LENGTH_MAX, FRAGMENT_LENGTH, 0, mayForward).wide();
    }

    @Override
    protected void close(final GiopClient unused) {
        unused.close();
    }

    /** The arguments of a method. */
    private interface Arguments {
        void write(OutputStream out);
    }
}
