package io.penstock.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Where a node of a cluster is reached: six ports in a row, from a base port on.
 *
 * @param member   number of the node, from 0.
 * @param host     of the node; an address of IPv6 in brackets.
 * @param basePort of the node: ingress, consensus, log, catch-up, archive, and where followers ask the leader for its log.
 */
record NodePlace(int member, String host, int basePort) {
    static final int PORT_COUNT = 6;

    private static final int ENDPOINT_COUNT = PORT_COUNT - 1;
    private static final int PORT_MAX = 65_535;

    /**
     * Reads the places of all nodes.
     *
     * @param texts as the configuration has them, {@code HOST:PORT}, in the order of the members' numbers.
     * @return one for each.
     * @throws IllegalArgumentException when one is wrong, or two have the same ports.
     */
    static List<NodePlace> parse(final List<String> texts) {
        final List<NodePlace> places = new ArrayList<>();
        for (final String text : texts) {
            final NodePlace place = parse(places.size(), text.strip());
            for (final NodePlace other : places) {
                if (place.host.equals(other.host) && Math.abs(place.basePort - other.basePort) < PORT_COUNT) {
                    throw new IllegalArgumentException("cluster.members: " + text + ": uses ports of " + other.host
                            + ":"
                            + other.basePort + " (each takes " + PORT_COUNT + " ports from its own on: leave that many"
                            + " between them)");
                }
            }
            places.add(place);
        }
        return List.copyOf(places);
    }

    private static NodePlace parse(final int member, final String text) {
        final int separator = text.lastIndexOf(':');
        final String host = separator < 1 ? "" : text.substring(0, separator).toLowerCase(Locale.ROOT);
        int port = 0;
        try {
            port = Integer.parseInt(text.substring(separator + 1));
        } catch (final NumberFormatException e) {
            // Said below.
        }
        final boolean isBracketed = host.startsWith("[") && host.endsWith("]");
        if (host.isEmpty()
                || (host.indexOf(':') >= 0 && !isBracketed)
                || host.chars().anyMatch(c -> c <= ' ' || c == ',' || c == '|' || c == '=' || c == '/')
                || port < 1
                || port > PORT_MAX - PORT_COUNT + 1) {
            throw new IllegalArgumentException("cluster.members: not HOST:PORT: " + text + " (use for example"
                    + " node1.example.com:9300; ports from it on are taken, " + PORT_COUNT + " in all)");
        }
        return new NodePlace(member, host, port);
    }

    /** Whether no other machine can reach it. */
    boolean isLoopback() {
        return host.equals("localhost") || host.matches("127(\\.\\d{1,3}){3}") || host.equals("[::1]");
    }

    String ingress() {
        return endpoint(0);
    }

    String archive() {
        return endpoint(ENDPOINT_COUNT - 1);
    }

    String logControl() {
        return endpoint(ENDPOINT_COUNT);
    }

    /** Any free port of its host. */
    String anyPort() {
        return host + ":0";
    }

    private String endpoint(final int index) {
        return host + ":" + (basePort + index);
    }

    private String text() {
        final StringBuilder text = new StringBuilder().append(member);
        for (int i = 0; i < ENDPOINT_COUNT; i++) {
            text.append(',').append(endpoint(i));
        }
        return text.toString();
    }

    /** All of them, as the consensus module wants it. */
    static String members(final List<NodePlace> places) {
        return places.stream().map(NodePlace::text).collect(Collectors.joining("|"));
    }

    /** Where all of them take commands. */
    static String ingresses(final List<NodePlace> places) {
        return places.stream()
                .map(place -> place.member() + "=" + place.ingress())
                .collect(Collectors.joining(","));
    }
}
