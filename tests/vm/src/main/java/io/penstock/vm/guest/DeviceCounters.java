package io.penstock.vm.guest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What the guest's RDMA devices have counted since they were made.
 *
 * @param values by the kernel's names.
 */
record DeviceCounters(Map<String, Long> values) {
    private static final Path DEVICES = Path.of("/sys/class/infiniband");
    private static final String SENT = "sent_pkts";

    /** Reads those of all devices, and adds up those of the same name. */
    static DeviceCounters read() throws IOException {
        final Map<String, Long> values = new TreeMap<>();
        for (final Path device : list(DEVICES)) {
            for (final Path file : list(device.resolve("ports").resolve("1").resolve("hw_counters"))) {
                final long value = Long.parseLong(Files.readString(file).strip());
                values.merge(String.valueOf(file.getFileName()), value, Long::sum);
            }
        }
        if (!values.containsKey(SENT)) {
            throw new IOException(DEVICES + ": no counter " + SENT + " (there is no software device)");
        }
        return new DeviceCounters(values);
    }

    private static List<Path> list(final Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.toList();
        }
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
