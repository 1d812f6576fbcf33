package io.penstock.orbs;

import com.sun.corba.ee.impl.orb.ORBImpl;
import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.service.BridgeService;
import io.penstock.orbs.idl.PenstockBroker;
import org.omg.CORBA.ORB;
import org.omg.CORBA.ORBPackage.InvalidName;

/** Serves the contract's IDL by GlassFish's ORB, with the bridge's service behind it. Safe on any thread. */
public final class GlassfishPeer implements AutoCloseable {
    /** The object key of the guests' session, as our own server has it. */
    public static final String KEY = "PenstockBroker";

    private final BridgeService service;
    private final ORB orb;
    private final String reference;

    private GlassfishPeer(final BridgeService service, final ORB orb) throws InvalidName {
        this.service = service;
        this.orb = orb;
        final PenstockBroker guest = new PeerServant(service, service.guest(), GlassfishOrb.serve(orb)).activated();
        ((ORBImpl) orb).register_initial_reference(KEY, guest);
        reference = orb.object_to_string(guest);
    }

    /**
     * Begins to serve on loopback.
     *
     * @param port           to listen on; 0 = a free one.
     * @param fragmentLength of the ORB, in bytes.
     * @param config         bounds; its front ends are not used.
     * @param endpoint       of the broker.
     * @return the server.
     */
    public static GlassfishPeer launch(
            final int port, final int fragmentLength, final BridgeConfig config, final String endpoint) {
        final BridgeService service = new BridgeService(config, endpoint);
        final ORB orb = GlassfishOrb.of(port, fragmentLength);
        try {
            return new GlassfishPeer(service, orb);
        } catch (final InvalidName e) {
            throw new IllegalStateException("the ORB has the name already: " + KEY, e);
        }
    }

    /**
     * Where the guests' session is.
     *
     * @return a stringified reference, {@code IOR:…}.
     */
    public String reference() {
        return reference;
    }

    @Override
    public void close() {
        orb.shutdown(false);
        orb.destroy();
        service.close();
    }
}
