package io.penstock.jmh.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.admin.AdminConfig;
import io.penstock.admin.AdminServer;
import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.ThreadingMode;
import io.penstock.broker.WindowConfig;
import io.penstock.client.ClientConfig;
import io.penstock.client.ClientSession;
import io.penstock.client.SubscribeRequest;
import io.penstock.jmh.CountingListener;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Messages from a publisher to a subscriber, all on one thread, while nobody watches the broker, and while its metrics are
 * scraped each second and a stream of live figures is read; in alternating rounds of some seconds with one broker.
 *
 * <p>The argument is the number of rounds, 15 unless given. The first fifth of them warms up.
 */
public final class WatchedDelivery implements AutoCloseable {
    private static final long ROUND_NS = TimeUnit.SECONDS.toNanos(2);
    private static final int BATCH = 32;
    private static final int BATCHES_BETWEEN_LOOKS = 64;
    private static final String[] CASES = {"nobody", "nobody again", "scraped and read"};
    private static final int WATCHED = 2;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final UnsafeBuffer TOPIC = new UnsafeBuffer("orders".getBytes(UTF_8));
    private static final UnsafeBuffer MESSAGE = new UnsafeBuffer("x".repeat(200).getBytes(UTF_8));

    private final Broker broker;
    private final AdminServer admin;
    private final ClientSession publisher;
    private final ClientSession subscriber;
    private final HttpClient http = HttpClient.newHttpClient();
    private final AtomicLong scrapeCount = new AtomicLong();
    private final AtomicLong readLength = new AtomicLong();
    private final CountingListener seen = new CountingListener();

    private WatchedDelivery() {
        broker = Broker.launch(BrokerConfig.builder()
                .listen("inproc:watched")
                .threading(ThreadingMode.INVOKER)
                .formatDefault("binary")
                .window(new WindowConfig(32 * 1024 * 1024, 4))
                .build());
        admin = AdminServer.launch(AdminConfig.listening("http://127.0.0.1:0"), broker);
        publisher = connect();
        subscriber = connect();
        while (seen.logonCount() < 2) {
            cycle();
        }
        while (subscriber.offerSubscribe(1, SubscribeRequest.topic("orders")) < 0) {
            cycle();
        }
        while (seen.ackCount() == 0) {
            cycle();
        }
    }

    /** Runs it. */
    public static void main(final String... args) {
        final int rounds = args.length == 0 ? 15 : Integer.parseInt(args[0]);
        final double[][] cpuNs = new double[CASES.length][rounds];
        final double[][] wallNs = new double[CASES.length][rounds];
        try (WatchedDelivery delivery = new WatchedDelivery()) {
            for (int round = 0; round < rounds; round++) {
                for (int i = 0; i < CASES.length; i++) {
                    // Each is the first one in its turn.
                    final int place = (i + round) % CASES.length;
                    final double[] ns = delivery.round(place == WATCHED);
                    cpuNs[place][round] = ns[0];
                    wallNs[place][round] = ns[1];
                }
            }
            System.out.printf(
                    "%d scrapes and %d KiB of live figures in %d s%n",
                    delivery.scrapeCount.get(),
                    delivery.readLength.get() >> 10,
                    rounds * TimeUnit.NANOSECONDS.toSeconds(ROUND_NS));
            if (delivery.scrapeCount.get() < rounds || delivery.readLength.get() == 0) {
                throw new IllegalStateException(
                        "watch: the broker was not watched (let fewer programs run beside this)");
            }
        }
        final int from = rounds / 5;
        for (int i = 0; i < CASES.length; i++) {
            System.out.printf(
                    "%-17s %7.1f ns of CPU a message, %7.1f ns; median of ratios to nobody: CPU %.3f, time %.3f%n",
                    CASES[i],
                    median(Arrays.copyOfRange(cpuNs[i], from, rounds)),
                    median(Arrays.copyOfRange(wallNs[i], from, rounds)),
                    ratio(cpuNs[i], cpuNs[0], from),
                    ratio(wallNs[i], wallNs[0], from));
        }
    }

    private static double ratio(final double[] values, final double[] base, final int from) {
        final double[] ratios = new double[values.length - from];
        for (int round = from; round < values.length; round++) {
            ratios[round - from] = values[round] / base[round];
        }
        return median(ratios);
    }

    private static double median(final double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }

    private ClientSession connect() {
        final ClientSession session = ClientSession.open(
                ClientConfig.builder(broker.endpoints().get(0).toString()).build(), seen);
        session.connect();
        return session;
    }

    private void cycle() {
        broker.invoke();
        publisher.poll();
        subscriber.poll();
    }

    /** Returns nanoseconds of this thread's processor time, and of time, for each message. */
    private double[] round(final boolean isWatched) {
        final @Nullable Watch watch = isWatched ? new Watch(admin.endpoint()) : null;
        try {
            final long startNs = System.nanoTime();
            final long startCpuNs = THREADS.getCurrentThreadCpuTime();
            long count = 0;
            while (System.nanoTime() - startNs < ROUND_NS) {
                for (int i = 0; i < BATCHES_BETWEEN_LOOKS; i++) {
                    publishBatch();
                }
                count += (long) BATCHES_BETWEEN_LOOKS * BATCH;
            }
            return new double[] {
                (double) (THREADS.getCurrentThreadCpuTime() - startCpuNs) / count,
                (double) (System.nanoTime() - startNs) / count
            };
        } finally {
            if (watch != null) {
                watch.close();
            }
        }
    }

    private void publishBatch() {
        final long target = seen.received() + BATCH;
        for (int i = 0; i < BATCH; i++) {
            while (publisher.offerPublish(TOPIC, 0, TOPIC.capacity(), MESSAGE, 0, MESSAGE.capacity(), 0, 0) < 0) {
                cycle();
            }
        }
        while (seen.received() < target) {
            cycle();
        }
    }

    @Override
    public void close() {
        admin.close();
        publisher.close();
        subscriber.close();
        broker.close();
    }

    /** Scrapes at once and each second, and reads live figures, until it is closed. */
    private final class Watch implements AutoCloseable {
        private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(2);
        private final Socket stream;

        Watch(final URI server) {
            try {
                stream = new Socket(server.getHost(), server.getPort());
                stream.getOutputStream()
                        .write("GET /api/v1/stream/stats HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(UTF_8));
            } catch (final IOException e) {
                throw new UncheckedIOException(e);
            }
            final var reading = threads.submit(this::read);
            final HttpRequest request =
                    HttpRequest.newBuilder(URI.create(server + "/metrics")).build();
            final var scraping = threads.scheduleAtFixedRate(() -> scrape(request), 0, 1, TimeUnit.SECONDS);
            if (reading.isCancelled() || scraping.isCancelled()) {
                throw new IllegalStateException("watch: does not run");
            }
        }

        private void read() {
            final byte[] bytes = new byte[8192];
            try {
                final InputStream in = stream.getInputStream();
                int length = in.read(bytes);
                while (length >= 0) {
                    readLength.addAndGet(length);
                    length = in.read(bytes);
                }
            } catch (final IOException e) {
                // It was closed.
            }
        }

        private void scrape(final HttpRequest request) {
            try {
                final HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
                if (response.statusCode() == 200 && response.body().endsWith("# EOF\n")) {
                    scrapeCount.incrementAndGet();
                }
            } catch (final IOException e) {
                throw new UncheckedIOException(e);
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() {
            threads.shutdownNow();
            try {
                stream.close();
            } catch (final IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
