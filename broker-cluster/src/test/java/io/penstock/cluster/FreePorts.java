package io.penstock.cluster;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Ports that nobody has at the moment, below those that systems give to whoever asks for any. */
final class FreePorts {
    private static final int FIRST = 20_000;
    private static final int COUNT = 12_000;
    private static final AtomicInteger NEXT = new AtomicInteger();

    /** Until this process ends. */
    private static final Queue<ServerSocket> HELD = new ConcurrentLinkedQueue<>();

    private FreePorts() {}

    /** Addresses of so many nodes on this machine. */
    static List<String> members(final int count) throws IOException {
        final int start = (int) (ProcessHandle.current().pid() * 97 % COUNT);
        final List<String> members = new ArrayList<>();
        for (int attempt = 0; attempt < COUNT && members.size() < count; attempt++) {
            final int port = FIRST + (start + NEXT.getAndAdd(NodePlace.PORT_COUNT)) % COUNT;
            if (hold(port)) {
                members.add("127.0.0.1:" + port);
            }
        }
        return members;
    }

    /** Held by TCP, which nodes do not use there, so that another process that looks for ports leaves them alone. */
    private static boolean hold(final int port) throws IOException {
        final ServerSocket held = new ServerSocket();
        try {
            held.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (final SocketException e) {
            held.close();
            return false;
        }
        if (areFree(port)) {
            HELD.add(held);
            return true;
        }
        held.close();
        return false;
    }

    private static boolean areFree(final int port) throws IOException {
        for (int i = 0; i < NodePlace.PORT_COUNT; i++) {
            try (DatagramSocket socket = new DatagramSocket(null)) {
                socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port + i));
            } catch (final SocketException e) {
                return false;
            }
        }
        return true;
    }
}
