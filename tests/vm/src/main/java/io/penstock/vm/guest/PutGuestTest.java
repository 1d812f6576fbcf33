package io.penstock.vm.guest;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.vm.Guest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A broker and {@code penstock put} as programs, over the device and over sockets. */
@Timeout(180)
public class PutGuestTest {
    private static final int LENGTH = (5 << 20) + 12_345;
    private static final int LIMIT_S = 120;

    /** What the device sends at most at a time. */
    private static final int PACKET_LENGTH = 4096;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({"rdma, 65536", "rdma, 2097152", "tcp, 65536", "tcp, 2097152"})
    void shouldMakeTheSameFile(final String transport, final int blockLength) throws Exception {
        final byte[] bytes = new byte[LENGTH];
        new Random(blockLength).nextBytes(bytes);
        final Path file = Files.write(directory.resolve("in.dat"), bytes);
        final Path sinks = directory.resolve("sinks");
        final DeviceCounters before = DeviceCounters.read();
        try (Program broker = Program.start(
                LIMIT_S + 30,
                "serve",
                "--listen=" + transport + "://" + Guest.ADDRESS + ":0",
                "--set=security.allowInsecureListen=true",
                "--set=sinks.directory=" + sinks,
                "--sink=events",
                "--drain=0")) {
            final String endpoint = broker.await("listening on ");
            try (Program put = Program.start(
                    LIMIT_S,
                    "put",
                    "events",
                    file.toString(),
                    "--block-size=" + blockLength,
                    "--timeout=60",
                    "--json",
                    "--broker=" + endpoint)) {
                final List<String> lines = put.end();
                System.out.println("put: " + transport + ", blocks of " + blockLength + ": " + lines);
                assertThat(lines).singleElement().asString().contains("\"bytes\":" + LENGTH, "\"resent\":0");
            }
            assertThat(sinks.resolve("events")).hasBinaryContent(bytes);
        }
        final long packets = DeviceCounters.read().minus(before).packetsSent();
        if (transport.equals("rdma")) {
            assertThat(packets).isGreaterThanOrEqualTo(LENGTH / PACKET_LENGTH);
        } else {
            assertThat(packets).isLessThan(LENGTH / PACKET_LENGTH);
        }
    }
}
