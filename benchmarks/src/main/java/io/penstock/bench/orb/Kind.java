package io.penstock.bench.orb;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How something is served and called. */
enum Kind {
    /** Plain RMI of the JDK on both sides, beside which the bridge's RMI is measured. */
    PLAIN("plain", null),
    /** The bridge, called by the JDK's RMI as it is. */
    RMI("rmi", PLAIN),
    /** The bridge, called over the connections of a pool. */
    RMI_POOLED("rmi_pooled", PLAIN),
    /** GlassFish's ORB, called by omniORB, beside which the bridge's IIOP is measured. */
    GLASSFISH("glassfish", null),
    /** The bridge, called by omniORB. */
    IIOP("iiop", GLASSFISH);

    private final String id;
    private final @Nullable Kind beside;

    Kind(final String id, final @Nullable Kind beside) {
        this.id = id;
        this.beside = beside;
    }

    String id() {
        return id;
    }

    @Override
    public String toString() {
        return id;
    }

    /** The kind that it is compared with, in the same round; null for the kinds that others are compared with. */
    @Nullable
    Kind beside() {
        return beside;
    }

    Setup setup(final OrbPrograms programs, final int connectionCount) {
        return switch (this) {
            case PLAIN -> Setup.plain();
            case RMI -> Setup.rmi();
            case RMI_POOLED -> Setup.pooled(0);
            case GLASSFISH -> Setup.glassfish(programs, connectionCount, Setup.FRAGMENT_LENGTH);
            case IIOP -> Setup.iiop(programs, connectionCount, Setup.FRAGMENT_LENGTH);
        };
    }

    /** One that is compared, by its name; null when there is none. */
    static @Nullable Kind compared(final String id) {
        for (final Kind each : values()) {
            if (each.id.equals(id) && each.beside != null) {
                return each;
            }
        }
        return null;
    }

    /**
     * In which order to measure: what is compared with each other close together, there and back, and from another one on, so
     * that nobody is always the first.
     *
     * @param kinds that are measured.
     * @param round number of the round.
     * @return all of them.
     */
    static List<Kind> order(final Set<Kind> kinds, final int round) {
        final List<Kind> order = new ArrayList<>();
        for (final Kind reference : values()) {
            final List<Kind> group = new ArrayList<>();
            for (final Kind each : values()) {
                if ((each == reference || each.beside == reference) && kinds.contains(each)) {
                    group.add(each);
                }
            }
            if (reference.beside == null) {
                Collections.rotate(group, -(round / 2));
                if (round % 2 == 1) {
                    Collections.reverse(group);
                }
                order.addAll(group);
            }
        }
        return order;
    }
}
