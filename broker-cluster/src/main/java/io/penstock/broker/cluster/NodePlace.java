package io.penstock.broker.cluster;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Where a node of a cluster is reached: five ports in a row, from a base port on.
 *
 * @param member   number of the node, from 0.
 * @param host     of the node.
 * @param basePort of the node: ingress, consensus, log, catch-up, archive; the one after them is where followers ask the
 *                 leader for its log.
 */
record NodePlace(int member, String host, int basePort) {
    private static final int PORT_COUNT = 5;

    String ingress() {
        return endpoint(0);
    }

    String archive() {
        return endpoint(PORT_COUNT - 1);
    }

    String logControl() {
        return endpoint(PORT_COUNT);
    }

    private String endpoint(final int index) {
        return host + ":" + (basePort + index);
    }

    private String text() {
        final StringBuilder text = new StringBuilder().append(member);
        for (int i = 0; i < PORT_COUNT; i++) {
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
