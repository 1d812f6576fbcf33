package io.penstock.transport.stream.tls;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Handshakes that are under way, in the order of their deadlines; those of peers that have connected also by address, of
 * which each has a share. Owned by the agent of the transport.
 */
final class Handshakes {
    private static final int ADDRESS_COUNT_MIN = 64;

    /** A host with IPv6 most often has all addresses with one prefix of so many bytes. */
    private static final int PREFIX_LENGTH = 8;

    private final int countMax;
    private final int addressCountMax;
    private final Set<TlsStreamSocket> all = new LinkedHashSet<>();
    private final Map<InetAddress, Set<TlsStreamSocket>> byAddress = new HashMap<>();

    /**
     * None so far.
     *
     * @param countMax that there may be, a quarter of them of one address; 64 of one address in any case.
     */
    Handshakes(final int countMax) {
        this.countMax = countMax;
        addressCountMax = Math.max(ADDRESS_COUNT_MIN, countMax / 4);
    }

    /** One begins. */
    void add(final TlsStreamSocket socket) {
        all.add(socket);
        if (socket.isAccepted()) {
            byAddress
                    .computeIfAbsent(host(socket.peerAddress()), of -> new LinkedHashSet<>())
                    .add(socket);
        }
    }

    /** One is over. Does nothing for one that is not known. */
    void remove(final TlsStreamSocket socket) {
        if (all.remove(socket) && socket.isAccepted()) {
            byAddress.computeIfPresent(host(socket.peerAddress()), (of, same) -> {
                same.remove(socket);
                return same.isEmpty() ? null : same;
            });
        }
    }

    /** The oldest one of an address that has its share already; null while there is room for another. */
    @Nullable
    TlsStreamSocket inTheWay(final InetAddress address) {
        final Set<TlsStreamSocket> same = byAddress.get(host(address));
        return same == null || same.size() < addressCountMax
                ? null
                : same.iterator().next();
    }

    /** The most that an address may have. */
    int addressCountMax() {
        return addressCountMax;
    }

    boolean isFull() {
        return all.size() >= countMax;
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /** The one whose deadline comes first. There is one. */
    TlsStreamSocket first() {
        return all.iterator().next();
    }

    TlsStreamSocket[] toArray() {
        return all.toArray(new TlsStreamSocket[0]);
    }

    private static InetAddress host(final InetAddress address) {
        if (!(address instanceof Inet6Address) || address.isLinkLocalAddress()) {
            return address;
        }
        final byte[] bytes = address.getAddress();
        Arrays.fill(bytes, PREFIX_LENGTH, bytes.length, (byte) 0);
        try {
            return InetAddress.getByAddress(bytes);
        } catch (final UnknownHostException e) {
            return address;
        }
    }
}
