package io.penstock.vm;

import io.penstock.vm.guest.DeliveryGuestTest;
import io.penstock.vm.guest.NumaGuestTest;
import io.penstock.vm.guest.PutBenchGuestTest;
import io.penstock.vm.guest.PutGuestTest;
import io.penstock.vm.guest.RdmaComparison;
import io.penstock.vm.guest.RdmaGuestTck;
import io.penstock.vm.guest.RsocketComparison;
import io.penstock.vm.guest.RsocketGuestTck;
import io.penstock.vm.guest.SdpGuestTck;
import io.penstock.vm.guest.SinkComparison;
import io.penstock.vm.guest.SmcFallbackGuestTck;
import io.penstock.vm.guest.SmcGuestTck;
import io.penstock.vm.guest.TcpGuestTck;
import io.penstock.vm.guest.disni.DisniRawGuestTest;
import io.penstock.vm.guest.verbs.DisniVerbsGuestTck;
import io.penstock.vm.guest.verbs.RegistrarGuestTest;
import io.penstock.vm.guest.verbs.ShimVerbsGuestTck;
import java.util.List;

/** Every suite there is; the only place that names them. */
public final class Suites {
    /** Compares frames of up to 64 MiB with a C program's, five times each. */
    private static final String[] STREAMS = {
        "-Dpenstock.rdma.streamLength=67108864",
        "-Dpenstock.rdma.streamTotal=16777216",
        "-Dpenstock.rdma.streamRounds=5",
        "-Dpenstock.rdma.steadyCount=1000000"
    };

    /** Lines of shell that unpack a C source of this jar, {@code NAME}. */
    private static final String SOURCE = "busybox unzip -p \"$JAR\" guest/NAME.c > /run/NAME.c && [ -s /run/NAME.c ]";

    /** A device where both ends of a connection to 127.0.0.1 are, and what the kernel needs to use it. */
    private static final String[] SMC = {
        "modprobe -a smc smc_diag",
        "rdma link show rxe1 >/dev/null 2>&1 || rdma link add rxe1 type rxe netdev lo",
        SOURCE.replace("NAME", "smc-eid"),
        "cc -o /run/smc-eid /run/smc-eid.c",
        "{ [ -e /run/smc-eid.done ] || /run/smc-eid; } && touch /run/smc-eid.done",
    };

    private static final String[] SDP = {
        SOURCE.replace("NAME", "sdp-shim"),
        "cc -shared -fPIC -o /run/sdp-shim.so /run/sdp-shim.c",
        "printf 'bind * *\\nconnect * *\\n' > /run/sdp.conf",
        "export LD_PRELOAD=/run/sdp-shim.so",
    };

    private static final String[] SDP_FLAGS = {"-Dcom.sun.sdp.conf=/run/sdp.conf", "-Djava.net.preferIPv4Stack=true"};

    /** In the order in which they run. */
    public static final List<Suite> ALL = List.of(
            Suite.of("tcp-17", 17, TcpGuestTck.class).inLongForm(),
            Suite.of("tcp-25", 25, TcpGuestTck.class).inLongForm(),
            shim(25),
            shim(17).inLongForm().with(STREAMS).within(900),
            disni(17),
            disni(25).inLongForm().with(STREAMS).within(900),
            disniRaw(17).inLongForm(),
            disniRaw(25).inLongForm(),
            Suite.of("rsocket-17", 17, RsocketGuestTck.class).byDevice().inLongForm(),
            Suite.of("rsocket-25", 25, RsocketGuestTck.class).byDevice(),
            Suite.of("rsocket-tcp-25", 25, RsocketComparison.class).inLongForm(),
            Suite.of("sinks-25", 25, SinkComparison.class)
                    .with("-Dpenstock.rdma.verbs=shim")
                    .within(600)
                    .inLongForm(),
            Suite.of("put-25", 25, PutGuestTest.class)
                    .with("-Dpenstock.rdma.verbs=shim")
                    .within(900)
                    .inLongForm(),
            Suite.of("put-bench-25", 25, PutBenchGuestTest.class)
                    .with("-Dpenstock.rdma.verbs=shim")
                    .within(3_600)
                    .inLongForm(),
            Suite.of("numa-25", 25, NumaGuestTest.class).inLongForm(),
            Suite.of("smc-fallback-25", 25, SmcFallbackGuestTck.class)
                    .after("modprobe -a smc smc_diag")
                    .inLongForm(),
            Suite.of("sdp-17", 17, SdpGuestTck.class).after(SDP).with(SDP_FLAGS).inLongForm(),
            Suite.of("sdp-25", 25, SdpGuestTck.class).after(SDP).with(SDP_FLAGS).inLongForm(),
            Suite.of("smc-17", 17, SmcGuestTck.class)
                    .on(Suite.Kernel.NEW)
                    .after(SMC)
                    .byDevice()
                    .inLongForm(),
            Suite.of("smc-25", 25, SmcGuestTck.class)
                    .on(Suite.Kernel.NEW)
                    .after(SMC)
                    .byDevice()
                    .inLongForm());

    private Suites() {}

    private static Suite shim(final int jdk) {
        return Suite.of(
                        "rdma-shim-" + jdk,
                        jdk,
                        RdmaGuestTck.class,
                        ShimVerbsGuestTck.class,
                        RdmaComparison.class,
                        DeliveryGuestTest.class)
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
                        RdmaComparison.class,
                        DeliveryGuestTest.class)
                .byDevice()
                .with("-Dpenstock.rdma.verbs=disni", "-Dpenstock.rdma.echoRatio=20");
    }

    /** Without our transport, so that its traffic is not counted. */
    private static Suite disniRaw(final int jdk) {
        return Suite.of("disni-raw-" + jdk, jdk, DisniRawGuestTest.class);
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
