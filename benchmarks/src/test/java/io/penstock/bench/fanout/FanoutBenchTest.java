package io.penstock.bench.fanout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.bench.BenchRun;
import io.penstock.standalone.CommandFailure;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FanoutBenchTest {
    @ParameterizedTest
    @CsvSource({"20, 1", "1, 20", "3, 4"})
    void shouldReportEveryFigureWhenConnectionsAndSubscriptionsAreGiven(final int connections, final int subscriptions)
            throws IOException {
        final Map<String, @Nullable Object> figures = BenchRun.figures(
                new FanoutBenchCommand(),
                "--connections " + connections + " --subscriptions " + subscriptions
                        + " --length 50 --rounds 1 --seconds 0.2");

        final String name = "connections_" + connections + "_subscriptions_" + subscriptions + ".";
        assertThat(figures).containsEntry("length", 50.0).containsEntry(name + "connections", (double) connections);
        for (final String each : new String[] {
            "msgs",
            "deliveries_per_s",
            "cpu_ns_per_delivery",
            "cpu_ns_per_delivery_min",
            "plain_deliveries_per_s",
            "plain_cpu_ns_per_delivery",
            "cpu_ratio_to_plain"
        }) {
            assertThat((Double) figures.get(name + each)).as(each).isPositive();
        }
    }

    @Test
    @Timeout(60)
    void shouldFailWhenReceiversCannotConnect() {
        final FanoutPlan plan = new FanoutPlan(2, 1, 50, 1, 1, 0.1);
        assertThatThrownBy(() -> PlainWriter.connect(plan, port -> URI.create("tcp://127.0.0.1:1")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("bench: a thread has failed: bench-plain-receivers")
                .hasRootCauseInstanceOf(IOException.class);
    }

    @Test
    void shouldHaveEachRecordInAFrameOfItsSubscriptionWhenABurstIsMade() {
        final ByteBuffer bytes = SharedFrames.burst(2, 3, 100);
        final UnsafeBuffer burst = new UnsafeBuffer(bytes);

        final int first = burst.getInt(0);

        assertThat(SharedFrames.recordCount(burst, 4, first)).isEqualTo(3);
        assertThat(SharedFrames.recordCount(burst, 8 + first, burst.getInt(4 + first)))
                .isEqualTo(3);
        assertThat(bytes.capacity()).isEqualTo(2 * (4 + first));
    }

    @Test
    void shouldHaveFramesThatComeInOnePieceWhenMessagesAreLong() {
        final ByteBuffer bytes = SharedFrames.burst(1, 4, 60_000);
        final UnsafeBuffer burst = new UnsafeBuffer(bytes);

        int frames = 0;
        for (int at = 0; at < bytes.capacity(); at += 4 + burst.getInt(at)) {
            assertThat(burst.getInt(at)).isLessThanOrEqualTo(64 * 1024);
            frames++;
        }
        assertThat(frames).isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --connections 0 | --connections: out of range: 0 (use 1 to 4000)
                    --subscriptions 1001 | --subscriptions: out of range: 1001 (use 1 to 1000)
                    --length 60001 | --length: out of range: 60001 (use 1 to 60000)
                    --burst 0 | --burst: out of range: 0 (use 1 to 256)
                    --rounds 101 | --rounds: out of range: 101 (use 1 to 100)
                    --seconds 0 | --seconds: out of range: 0.0 (use 0.1 to 600)
                    """)
    void shouldNameWhatIsWrongWhenOptionsAreBad(final String options, final String message) {
        assertThatThrownBy(() -> BenchRun.run(new FanoutBenchCommand(), options))
                .isInstanceOf(CommandFailure.class)
                .hasMessage(message);
    }
}
