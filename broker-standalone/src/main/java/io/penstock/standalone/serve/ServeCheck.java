package io.penstock.standalone.serve;

import com.sun.management.OperatingSystemMXBean;
import io.penstock.admin.AdminConfig;
import io.penstock.admin.AdminServer;
import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.config.IiopTls;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.ConfigCheck;
import io.penstock.broker.ThreadingMode;
import io.penstock.broker.config.ConfigException;
import io.penstock.standalone.Main;
import io.penstock.standalone.config.ConfigSource;
import io.penstock.standalone.config.WideFile;
import io.penstock.standalone.console.Counted;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.util.function.Supplier;

/** Finds out whether a broker would start, and says everything that is in its way. Opens nothing, makes nothing. */
final class ServeCheck {
    private final PrintWriter out;
    private int mistakeCount;
    private int warningCount;

    ServeCheck(final PrintWriter out) {
        this.out = out;
    }

    /** Prints a line for each mistake and warning, and how many there are; returns the exit code. */
    int run(final Supplier<ConfigSource> sources) {
        try {
            check(sources.get());
        } catch (final ConfigException e) {
            mistake(String.valueOf(e.getMessage()));
        }
        out.println(
                mistakeCount + warningCount == 0
                        ? "nothing is wrong"
                        : Counted.of(mistakeCount, "mistake") + ", " + Counted.of(warningCount, "warning"));
        out.flush();
        return mistakeCount == 0 ? Main.EXIT_OK : Main.EXIT_USAGE;
    }

    private void check(final ConfigSource source) {
        final WideFile wide = source.wideSecrets();
        if (wide != null) {
            warning(wide.toString());
        }
        source.dropMistakes().forEach(e -> mistake(String.valueOf(e.getMessage())));
        final BridgeConfig bridge = source.bridge();
        final AdminConfig admin = source.admin();
        final BrokerConfig config = BridgeEndpoint.added(AdminEndpoint.added(source.config(), admin), bridge);
        try {
            AdminServer.check(admin, !config.tls().certificate().isEmpty());
            admin.checkCallers(config);
        } catch (final IllegalArgumentException e) {
            mistake(source.origin("admin.listen") + ": " + e.getMessage());
        }
        try {
            admin.checkBackups(config.journal().directory());
        } catch (final IllegalArgumentException e) {
            mistake(source.origin("admin.backupDirectory") + ": " + e.getMessage());
        }
        bridge(source, bridge, !config.tls().certificate().isEmpty());
        if (config.threading() == ThreadingMode.INVOKER) {
            mistake(source.origin("threading") + ": threading: invoker has no threads (use shared or dedicated)");
        }
        try {
            if (source.cluster().isUsed()) {
                source.cluster().check(config);
            }
        } catch (final IllegalArgumentException e) {
            mistake(source.origin("cluster") + ": " + e.getMessage());
        }
        for (final ConfigCheck.Finding finding : ConfigCheck.of(config)) {
            if (isConsequence(source, finding)) {
                continue;
            }
            final String text = source.origin(finding.key()) + ": " + finding.text();
            if (finding.isMistake()) {
                mistake(text);
            } else {
                warning(text);
            }
        }
        memory(source, config);
    }

    private void bridge(final ConfigSource source, final BridgeConfig bridge, final boolean hasCertificate) {
        if (bridge.rmi().isUsed() && bridge.rmi().tls() && !hasCertificate) {
            mistake(source.origin("bridge.rmi.tls")
                    + ": bridge.rmi.tls: is true, but there is no certificate (give tls.certificate and tls.key)");
        }
        if (bridge.iiop().isUsed() && bridge.iiop().tls() != IiopTls.NONE && !hasCertificate) {
            mistake(source.origin("bridge.iiop.tls")
                    + ": bridge.iiop.tls: is used, but there is no certificate (give tls.certificate and tls.key)");
        }
    }

    /** What is left out with a mistake is missed by others. */
    private static boolean isConsequence(final ConfigSource source, final ConfigCheck.Finding finding) {
        return source.isDropped(finding.key())
                || (finding.text().contains("other machines can reach")
                        && (source.isDropped("tls") || source.isDropped("security")));
    }

    private void memory(final ConfigSource source, final BrokerConfig config) {
        final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        final boolean isDoubled = !config.journal().directory().isEmpty()
                && config.topics().stream().anyMatch(topic -> !topic.journaled());
        final long windows = (long) config.window().segmentLength()
                * config.window().segmentCount()
                * config.shardCount()
                * (isDoubled ? 2 : 1);
        final long present = system.getTotalMemorySize();
        if (present > 0 && windows > present) {
            warning(source.origin("window") + ": window: of all shards more than the memory there is: " + windows
                    + " of " + present + " bytes (lower window.segmentLength, window.segmentCount or shardCount)");
        }
    }

    private void mistake(final String text) {
        mistakeCount++;
        out.println("mistake: " + text);
    }

    private void warning(final String text) {
        warningCount++;
        out.println("warning: " + text);
    }
}
