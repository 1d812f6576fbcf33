package io.penstock.standalone.cluster;

import io.penstock.cluster.ClusterConfig;
import io.penstock.standalone.CommandFailure;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import org.agrona.CloseHelper;

/**
 * Ports of UDP for nodes on this machine, which another demo does not choose at the same time: the first of each node is held by
 * TCP, which nodes do not use. Used by one thread.
 */
final class HeldPorts implements AutoCloseable {
    private static final int PORT_MIN = 20_000;
    private static final int PORT_MAX = 32_000;

    private final List<ServerSocket> held = new ArrayList<>();

    private HeldPorts() {}

    /** Finds and holds those of so many nodes. */
    static HeldPorts hold(final int count) throws IOException {
        final HeldPorts ports = new HeldPorts();
        for (int port = PORT_MIN; port < PORT_MAX && ports.held.size() < count; port += ClusterConfig.PORT_COUNT) {
            ports.tryHold(port);
        }
        if (ports.held.size() < count) {
            ports.close();
            throw CommandFailure.failed("cluster demo: no free ports between " + PORT_MIN + " and " + PORT_MAX);
        }
        return ports;
    }

    private void tryHold(final int port) throws IOException {
        final ServerSocket socket = new ServerSocket();
        boolean isHeld = false;
        try {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            isHeld = areFree(port);
        } catch (final SocketException e) {
            // Somebody else has it.
        } finally {
            if (isHeld) {
                held.add(socket);
            } else {
                socket.close();
            }
        }
    }

    private static boolean areFree(final int port) throws IOException {
        for (int i = 0; i < ClusterConfig.PORT_COUNT; i++) {
            try (DatagramSocket socket = new DatagramSocket(null)) {
                socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port + i));
            } catch (final SocketException e) {
                return false;
            }
        }
        return true;
    }

    /** Addresses of the nodes. */
    List<String> members() {
        return held.stream().map(socket -> "127.0.0.1:" + socket.getLocalPort()).toList();
    }

    @Override
    public void close() {
        CloseHelper.quietCloseAll(held);
    }
}
