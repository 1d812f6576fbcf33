package io.penstock.vm;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What the guest does once it is up: a network and an RDMA device on it, both of which stay inside, then the suites. */
final class GuestScript {
    /** Said before a suite, with its name behind. */
    static final String BEGIN = "vm: begin ";

    /** Said after a suite, with its name and exit code behind. */
    static final String END = "vm: end ";

    /** Said when nothing can run, with the reason behind. */
    static final String FAILED = "vm: failed: ";

    /** Said last. */
    static final String DONE = "vm: done";

    /** The JIT compiler and the collector that run under emulation without losing memory order. */
    private static final List<String> EMULATED = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private static final List<String> JVM = List.of(
            "-ea",
            "-Xmx768m",
            "-XX:MaxDirectMemorySize=1g",
            "-XX:-UsePerfData",
            "-Dpenstock.deadlineS=200",
            "-Dpenstock.frames=20000",
            "-Dpenstock.connections=200");

    private static final String JAR = "/run/vm-tests.jar";

    private final List<String> lines = new ArrayList<>();
    private final Path share;

    /**
     * Begins one.
     *
     * @param kernel the guest runs.
     * @param jar    with the tests.
     * @param share  folder for results.
     */
    GuestScript(final KernelImage kernel, final Path jar, final Path share) {
        this.share = share;
        lines.addAll(List.of(
                "export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb LC_ALL=C.UTF-8",
                "say() { echo \"vm: $*\"; }",
                "off() { sync; busybox poweroff -f; sleep 60; }",
                "must() { \"$@\" || { say \"failed: $*\"; off; }; }",
                "ulimit -l unlimited; ulimit -n 65536; ulimit -c 0",
                "cd /run",
                "must mkdir -p /lib/modules",
                "must mount --bind " + quoted(kernel.modules()) + " /lib/modules",
                "must ip link set lo up",
                "must ip link add dum0 type dummy",
                "must ip link set dum0 mtu 9000 up",
                "must ip addr add " + Guest.ADDRESS + "/24 dev dum0",
                "must modprobe -a rdma_rxe rdma_ucm ib_uverbs",
                "must rdma link add " + Guest.DEVICE + " type rxe netdev dum0",
                "JAR=" + JAR,
                "must cp " + quoted(jar) + " $JAR"));
    }

    /** Runs a suite; what it prints goes to a file of its folder. */
    void suite(final Suite suite, final Path jdk, final boolean isEmulated) {
        final String folder = quoted(share.resolve(suite.name()));
        final List<String> command = new ArrayList<>(List.of(
                "timeout -s QUIT -k 5 " + suite.limitS(),
                quoted(jdk.resolve("bin").resolve("java"))));
        command.addAll(JVM);
        if (isEmulated) {
            command.addAll(EMULATED);
        }
        suite.jvmArgs().forEach(arg -> command.add(quoted(arg)));
        command.addAll(List.of("-cp", JAR, "io.penstock.vm.guest.SuiteRun", suite.name(), folder));
        lines.add("echo '" + BEGIN + suite.name() + "'");
        lines.add("(");
        suite.setUp().forEach(line -> lines.add("  " + line + " || exit 90"));
        lines.add("  exec " + String.join(" ", command));
        lines.add(") >" + folder + "/log 2>&1");
        lines.add("echo \"" + END + suite.name() + " $?\"");
    }

    /** Runs a script by hand. */
    void script(final Path script) {
        lines.add("SHARE=" + quoted(share) + " JAR=$JAR sh " + quoted(script));
        lines.add("echo \"vm: exit code $?\"");
    }

    /** The whole of it. */
    String text() {
        return String.join("\n", lines) + "\necho '" + DONE + "'\noff\n";
    }

    private static String quoted(final Object text) {
        return "'" + text.toString().replace("'", "'\\''") + "'";
    }
}
