package io.penstock.vm;

import io.penstock.vm.guest.RdmaComparison;
import io.penstock.vm.guest.RdmaGuestTck;
import io.penstock.vm.guest.TcpGuestTck;
import java.util.List;

/** Every suite there is; the only place that names them. */
public final class Suites {
    private static final String SHIM = "-Dpenstock.rdma.verbs=shim";

    /** In the order in which they run. */
    public static final List<Suite> ALL = List.of(
            Suite.of("tcp-17", 17, TcpGuestTck.class).inLongForm(),
            Suite.of("tcp-25", 25, TcpGuestTck.class),
            Suite.of("rdma-shim-25", 25, RdmaGuestTck.class, RdmaComparison.class)
                    .byDevice()
                    .with(SHIM),
            Suite.of("rdma-shim-17", 17, RdmaGuestTck.class, RdmaComparison.class)
                    .byDevice()
                    .with(SHIM)
                    .inLongForm());

    private Suites() {}

    /**
     * The suite of that name.
     *
     * @param name of a suite.
     * @return the suite.
     * @throws IllegalArgumentException when there is none.
     */
    public static Suite named(final String name) {
        return ALL.stream()
                .filter(suite -> suite.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("suite: not known: " + name + " (use one of "
                        + ALL.stream().map(Suite::name).toList() + ")"));
    }
}
