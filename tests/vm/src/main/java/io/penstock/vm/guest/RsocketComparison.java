package io.penstock.vm.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Round trips over the sockets of librdmacm beside those over TCP, between the same addresses. */
public class RsocketComparison {
    private static final int ECHO_COUNT = 300;
    private static final int ROUNDS = 5;
    private static final int[] LENGTHS = {64, 4096, 32 * 1024};

    /** Far from what was seen: it is to find a transport that waits for a timer. */
    private static final double RATIO_MAX = 20;

    @Test
    void shouldEchoInTheOrderOfTcpWhenBothPoll() throws Exception {
        final double[][] own = new double[LENGTHS.length][ROUNDS];
        final double[][] tcp = new double[LENGTHS.length][ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            measure(RsocketGuestTck.ENDPOINT, own, round);
            measure(TcpGuestTck.ENDPOINT, tcp, round);
        }
        for (int i = 0; i < LENGTHS.length; i++) {
            final double ratio = median(own[i]) / median(tcp[i]);
            System.out.printf(
                    "rsocket: echo of %d bytes: %.0f ns, over TCP %.0f ns, ratio %.2f%n",
                    LENGTHS[i], median(own[i]), median(tcp[i]), ratio);
            assertThat(ratio).isLessThanOrEqualTo(RATIO_MAX);
        }
    }

    private static void measure(final URI endpoint, final double[][] results, final int round) throws IOException {
        try (TransportBench bench = new TransportBench(endpoint)) {
            for (int i = 0; i < LENGTHS.length; i++) {
                results[i][round] = bench.echo(LENGTHS[i], ECHO_COUNT);
            }
        }
    }

    private static double median(final double[] values) {
        final double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
