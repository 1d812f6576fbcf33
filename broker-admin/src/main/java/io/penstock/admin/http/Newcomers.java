package io.penstock.admin.http;

import io.netty.channel.Channel;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Connections on which no request has come whole so far. Beyond as many of one address, the oldest of them is closed: who
 * has something to ask, asks it at once. Confined to the server's thread.
 */
final class Newcomers {
    private static final int PARTS = 2;

    private final int countMax;
    private final Map<String, Set<Channel>> byAddress = new HashMap<>();
    private final Map<Channel, String> addresses = new HashMap<>();

    /**
     * None so far.
     *
     * @param connectionCountMax of which one address may have half without a request.
     */
    Newcomers(final int connectionCountMax) {
        countMax = Math.max(1, connectionCountMax / PARTS);
    }

    /** A connection has come. */
    void add(final Channel channel, final String address) {
        final Set<Channel> same = byAddress.computeIfAbsent(address, of -> new LinkedHashSet<>());
        if (same.size() >= countMax) {
            final Iterator<Channel> oldest = same.iterator();
            final Channel closed = oldest.next();
            oldest.remove();
            addresses.remove(closed);
            final var unused = closed.close();
        }
        same.add(channel);
        addresses.put(channel, address);
    }

    /** A connection has asked for something, or is closed. */
    void remove(final Channel channel) {
        final String address = addresses.remove(channel);
        if (address != null) {
            byAddress.computeIfPresent(address, (of, same) -> {
                same.remove(channel);
                return same.isEmpty() ? null : same;
            });
        }
    }

    /** How many there are. */
    int count() {
        return addresses.size();
    }
}
