package io.penstock.bench.state;

import com.sun.management.OperatingSystemMXBean;
import io.penstock.standalone.console.Json;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Known properties of the machine. */
final class Machine {
    private static final Pattern MHZ = Pattern.compile("(?m)^cpu MHz\\s*:\\s*([0-9.]+)");

    private Machine() {}

    /** The first CPU's clock now, in GHz; NaN when the system does not say. */
    static double ghz() {
        try {
            return ghz(Files.readString(Path.of("/proc/cpuinfo"), StandardCharsets.UTF_8));
        } catch (final IOException e) {
            return Double.NaN;
        }
    }

    /** The clock that a text such as that of {@code /proc/cpuinfo} names. */
    static double ghz(final String text) {
        final Matcher matcher = MHZ.matcher(text);
        return matcher.find() ? Double.parseDouble(matcher.group(1)) / 1e3 : Double.NaN;
    }

    /** All memory there is, in bytes. */
    static long memoryLength() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getTotalMemorySize();
    }

    static Json describe(final Json json) {
        return describeJava(json).field("cpu_ghz", ghz());
    }

    /** Without the clock, where that is measured. */
    static Json describeJava(final Json json) {
        return json.field("java", Runtime.version().toString())
                .field("cpus", Runtime.getRuntime().availableProcessors());
    }
}
