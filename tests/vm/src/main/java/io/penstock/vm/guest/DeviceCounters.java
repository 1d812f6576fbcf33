package io.penstock.vm.guest;

import io.penstock.vm.Guest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What the device has counted since it was made.
 *
 * @param values by the kernel's names.
 */
record DeviceCounters(Map<String, Long> values) {
    private static final Path FOLDER = Path.of("/sys/class/infiniband", Guest.DEVICE, "ports", "1", "hw_counters");
    private static final String SENT = "sent_pkts";

    static DeviceCounters read() throws IOException {
        final List<Path> files;
        try (Stream<Path> all = Files.list(FOLDER)) {
            files = all.toList();
        }
        final Map<String, Long> values = new TreeMap<>();
        for (final Path file : files) {
            values.put(
                    String.valueOf(file.getFileName()),
                    Long.parseLong(Files.readString(file).strip()));
        }
        if (!values.containsKey(SENT)) {
            throw new IOException(FOLDER + ": no counter " + SENT + " (the device is not a software one)");
        }
        return new DeviceCounters(values);
    }

    DeviceCounters minus(final DeviceCounters before) {
        final Map<String, Long> risen = new TreeMap<>();
        values.forEach((name, value) -> risen.put(name, value - before.values.getOrDefault(name, 0L)));
        return new DeviceCounters(risen);
    }

    long packetsSent() {
        return values.getOrDefault(SENT, 0L);
    }

    @Override
    public String toString() {
        return values.toString();
    }
}
