package io.penstock.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.management.UnixOperatingSystemMXBean;
import io.penstock.client.PenstockClient;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Many readers of live figures: 1,000, or {@code -Dpenstock.streamCount=10000}, as far as the process may have files for both
 * ends of each.
 */
@Timeout(120)
class ManyStreamsTest extends AdminFixture {
    private static final int COUNT_MAX = Integer.getInteger("penstock.streamCount", 1_000);
    private static final int BEYOND = 50;
    private static final int FILES_OF_OTHERS = 1000;
    private static final byte[] REQUEST =
            "GET /api/v1/stream/stats HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final int count = (int) Math.min(COUNT_MAX, (fileLimit() - FILES_OF_OTHERS) / 2);

    private static long fileLimit() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                ? system.getMaxFileDescriptorCount()
                : 0;
    }

    @Override
    AdminConfig config() {
        final AdminConfig given = super.config();
        return new AdminConfig(
                given.listen(),
                List.of(),
                false,
                Math.max(1, count + 2 * BEYOND),
                Math.max(1, count),
                3,
                2,
                given.bodyLengthMax(),
                given.requestTimeoutMs(),
                given.idleTimeoutMs(),
                given.sessionTimeoutMs(),
                false);
    }

    private SocketChannel open() throws IOException {
        return SocketChannel.open(new InetSocketAddress(
                admin.endpoint().getHost(), admin.endpoint().getPort()));
    }

    private static void ask(final SocketChannel channel) throws IOException {
        channel.write(ByteBuffer.wrap(REQUEST));
    }

    private static String readUntil(final SocketChannel channel, final String end) throws IOException {
        final ByteBuffer buffer = ByteBuffer.allocate(4096);
        final StringBuilder text = new StringBuilder();
        while (text.indexOf(end) < 0 && channel.read(buffer.clear()) >= 0) {
            text.append(StandardCharsets.UTF_8.decode(buffer.flip()));
        }
        return text.toString();
    }

    @Test
    void shouldServeThemAllAndSayWhyItRefusesMore() throws Exception {
        assumeThat(count).as("files that the process may open").isGreaterThan(100);
        final List<SocketChannel> streams = new ArrayList<>();
        try (PenstockClient client = connect()) {
            for (int i = 0; i < count; i++) {
                final SocketChannel stream = open();
                streams.add(stream);
                ask(stream);
                assertThat(readUntil(stream, "\r\n\r\n")).startsWith("HTTP/1.1 200");
            }
            while (!get("/metrics").body().contains("penstock_admin_streams " + count + "\n")) {
                Thread.onSpinWait();
            }
            for (int i = 0; i < BEYOND; i++) {
                try (SocketChannel beyond = open()) {
                    ask(beyond);
                    assertThat(readUntil(beyond, "}"))
                            .startsWith("HTTP/1.1 503")
                            .contains("has " + count + " streams already")
                            .contains("admin.streamCountMax");
                }
            }
            client.publish("news", "{}");
            client.flush();
            for (final SocketChannel stream : streams) {
                assertThat(readUntil(stream, "\"adminClients\":" + count)).contains("event: stats");
            }
            assertThat(get("/metrics").body())
                    .contains("penstock_admin_streams " + count)
                    .contains("penstock_admin_requests_refused_total{status=\"503\"} " + BEYOND);
        } finally {
            for (final SocketChannel stream : streams) {
                stream.close();
            }
        }
        while (!get("/metrics").body().contains("penstock_admin_streams 0\n")) {
            Thread.onSpinWait();
        }
    }
}
