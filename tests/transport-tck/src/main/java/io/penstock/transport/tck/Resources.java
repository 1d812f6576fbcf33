package io.penstock.transport.tck;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What this process holds. */
final class Resources {
    private static final Path FILES = Path.of("/proc/self/fd");
    private static final Path STATUS = Path.of("/proc/self/status");

    private Resources() {}

    /** Memory of direct buffers in bytes. */
    static long directMemoryLength() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }

    /** Open file descriptors, or 0 where the number is unknown. */
    static long openFileCount() throws IOException {
        if (!Files.isDirectory(FILES)) {
            return 0;
        }
        try (Stream<Path> files = Files.list(FILES)) {
            return files.count();
        }
    }

    /** Memory that is mapped, used or not, in bytes; or 0 where the number is unknown. */
    static long mappedLength() throws IOException {
        if (!Files.isReadable(STATUS)) {
            return 0;
        }
        try (Stream<String> lines = Files.lines(STATUS)) {
            return lines.filter(line -> line.startsWith("VmSize:"))
                    .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("\\D", "")))
                    .sum();
        }
    }
}
