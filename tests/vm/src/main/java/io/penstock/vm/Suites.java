package io.penstock.vm;

import io.penstock.vm.guest.RdmaComparison;
import io.penstock.vm.guest.RdmaGuestTck;
import io.penstock.vm.guest.TcpGuestTck;
import io.penstock.vm.guest.disni.DisniRawGuestTest;
import io.penstock.vm.guest.verbs.DisniVerbsGuestTck;
import io.penstock.vm.guest.verbs.RegistrarGuestTest;
import io.penstock.vm.guest.verbs.ShimVerbsGuestTck;
import java.util.List;

/** Every suite there is; the only place that names them. */
public final class Suites {
    private static final String DISNI_FLAG = "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED";

    /** In the order in which they run. */
    public static final List<Suite> ALL = List.of(
            Suite.of("tcp-17", 17, TcpGuestTck.class).inLongForm(),
            Suite.of("tcp-25", 25, TcpGuestTck.class),
            shim(25),
            shim(17).inLongForm().with("-Dpenstock.rdma.streamLength=67108864").within(600),
            disni(17),
            disni(25).inLongForm(),
            disniRaw(17).inLongForm(),
            disniRaw(25).inLongForm());

    private Suites() {}

    private static Suite shim(final int jdk) {
        return Suite.of("rdma-shim-" + jdk, jdk, RdmaGuestTck.class, ShimVerbsGuestTck.class, RdmaComparison.class)
                .byDevice()
                .with("-Dpenstock.rdma.verbs=shim");
    }

    private static Suite disni(final int jdk) {
        return Suite.of(
                        "rdma-disni-" + jdk,
                        jdk,
                        DisniVerbsGuestTck.class,
                        RegistrarGuestTest.class,
                        RdmaGuestTck.class,
                        RdmaComparison.class)
                .byDevice()
                .with("-Dpenstock.rdma.verbs=disni", "-Dpenstock.rdma.echoRatio=20", DISNI_FLAG);
    }

    /** Without our transport, so that its traffic is not counted. */
    private static Suite disniRaw(final int jdk) {
        return Suite.of("disni-raw-" + jdk, jdk, DisniRawGuestTest.class).with(DISNI_FLAG);
    }

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
