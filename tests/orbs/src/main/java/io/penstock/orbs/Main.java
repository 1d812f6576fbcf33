package io.penstock.orbs;

import io.penstock.bridge.config.BridgeConfig;
import java.util.concurrent.CountDownLatch;

/** Serves the contract by GlassFish's ORB in a process of its own, for measurements, until it is ended. */
public final class Main {
    private Main() {}

    /**
     * Serves, and prints the reference of the guests' session.
     *
     * @param args the broker's endpoint, the port (0 = a free one), and the length of fragments in bytes.
     */
    public static void main(final String[] args) throws InterruptedException {
        if (args.length != 3) {
            System.err.println("usage: java -jar orb-peer.jar ENDPOINT PORT FRAGMENT_LENGTH"
                    + " (for example tcp://127.0.0.1:9100 0 65536)");
            System.exit(2);
        }
        System.setProperty("org.glassfish.gmbal.no.multipleUpperBoundsException", "true");
        final GlassfishPeer peer = GlassfishPeer.launch(
                Integer.parseInt(args[1]), Integer.parseInt(args[2]), BridgeConfig.defaults(), args[0]);
        System.out.println(peer.reference());
        new CountDownLatch(1).await();
    }
}
