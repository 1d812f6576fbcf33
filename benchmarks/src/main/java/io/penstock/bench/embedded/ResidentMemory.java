package io.penstock.bench.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The memory that this process has outside the heap of the JVM, as the kernel counts it. */
public final class ResidentMemory {
    private static final Path SMAPS = Path.of("/proc/self/smaps");
    private static final Pattern MAPPING = Pattern.compile("^([0-9a-f]+)-[0-9a-f]+ .*");
    private static final Pattern RESIDENT = Pattern.compile("^Rss:\\s+([0-9]+) kB");

    /** A heap with compressed references lies below, and nothing else of any size. */
    private static final long HEAP_END = 1L << 36;

    private static final long COMPRESSED_HEAP_MAX = 32L << 30;

    private ResidentMemory() {}

    /**
     * Reads it.
     *
     * @return bytes; NaN when the system does not say, or the heap is too large to tell it apart.
     */
    public static double outsideHeap() {
        if (Runtime.getRuntime().maxMemory() >= COMPRESSED_HEAP_MAX) {
            return Double.NaN;
        }
        try {
            return outsideHeap(Files.readAllLines(SMAPS, StandardCharsets.UTF_8));
        } catch (final IOException e) {
            return Double.NaN;
        }
    }

    /** The same from the lines of a file such as {@code /proc/self/smaps}. */
    static double outsideHeap(final List<String> lines) {
        long kib = 0;
        boolean isOutside = false;
        for (final String line : lines) {
            final Matcher mapping = MAPPING.matcher(line);
            if (mapping.matches()) {
                isOutside = Long.compareUnsigned(Long.parseUnsignedLong(mapping.group(1), 16), HEAP_END) >= 0;
            } else if (isOutside) {
                final Matcher resident = RESIDENT.matcher(line);
                kib += resident.find() ? Long.parseLong(resident.group(1)) : 0;
            }
        }
        return kib * 1024.0;
    }
}
