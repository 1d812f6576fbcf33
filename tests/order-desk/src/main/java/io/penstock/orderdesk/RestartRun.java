package io.penstock.orderdesk;

import io.penstock.client.LogPlace;
import io.penstock.client.Message;
import io.penstock.client.MessageStream;
import io.penstock.client.PenstockClient;
import io.penstock.client.ReplayRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Orders come by HTTP while the broker is killed and started again: each is accepted, and is in the broker's log once, as is its
 * fill; health goes down and comes up again.
 */
final class RestartRun {
    private static final String HEALTH = "/actuator/health";
    private static final String STATUS_DOWN = "\"status\":\"DOWN\"";
    private static final String STATUS_UP = "200 ";
    private static final int THREAD_COUNT = 4;
    private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\"");

    private final Programs programs;
    private final Report report;
    private final int orderCount;

    RestartRun(final Programs programs, final Report report, final int orderCount) {
        this.programs = programs;
        this.report = report;
        this.orderCount = orderCount;
    }

    void run() throws InterruptedException {
        final long startNs = System.nanoTime();
        final List<String> wrong = new ArrayList<>();
        String result = "";
        try {
            result = drive(wrong);
        } catch (final Exception e) {
            wrong.add(e.toString());
        }
        report.done(programs.name(), orderCount + " orders, broker killed and restarted", result, wrong, startNs);
    }

    private String drive(final List<String> wrong) throws Exception {
        ProgramProcess broker = programs.startBroker("tcp://127.0.0.1:0");
        try (ProgramProcess desk = programs.startDesk("--penstock.servers=" + Programs.endpoint(broker))) {
            final String endpoint = Programs.endpoint(broker);
            final DeskClient client = Programs.client(desk);
            report.quote(programs.name(), HEALTH, client.awaitPage(HEALTH, STATUS_UP));
            final Sending sending = new Sending(client);
            sending.awaitAccepted(orderCount / 4);
            broker.kill();
            report.quote(programs.name(), HEALTH, client.awaitPage(HEALTH, STATUS_DOWN));
            client.awaitPage(HEALTH + "/readiness", "503 ");
            client.awaitPage(HEALTH + "/liveness", STATUS_UP);
            broker = programs.startBroker(endpoint);
            Programs.endpoint(broker);
            client.awaitPage(HEALTH + "/readiness", STATUS_UP);
            report.quote(
                    programs.name(),
                    "/actuator/metrics/penstock.client.connections",
                    client.awaitPage("/actuator/metrics/penstock.client.connections", "\"value\":2.0"));
            final int refusedCount = sending.join();
            if (refusedCount > 0) {
                wrong.add(refusedCount + " orders were not accepted");
            }
            client.awaitPage("/positions", "{\"ACME\":" + orderCount + "}");
            checkLog(endpoint, "orders", wrong);
            checkLog(endpoint, "fills", wrong);
            desk.stop();
            return "all accepted, each once in the log, each filled once";
        } finally {
            broker.kill();
        }
    }

    private void checkLog(final String endpoint, final String topic, final List<String> wrong) {
        final Map<String, Integer> counts = new TreeMap<>();
        try (PenstockClient client = PenstockClient.connect(endpoint);
                MessageStream messages =
                        client.stream(ReplayRequest.topic(topic).to(LogPlace.NOW))) {
            for (final Message message : messages) {
                final Matcher id = ID.matcher(message.text());
                counts.merge(id.find() ? id.group(1) : "none", 1, Integer::sum);
            }
        }
        final long doubleCount =
                counts.values().stream().filter(count -> count > 1).count();
        if (counts.size() != orderCount || doubleCount > 0) {
            wrong.add(topic + ": " + counts.size() + " of " + orderCount + ", " + doubleCount
                    + " of them more than once");
        }
    }

    /** Threads that send all orders. */
    private final class Sending {
        private final DeskClient client;
        private final ExecutorService threads = Executors.newFixedThreadPool(THREAD_COUNT);
        private final AtomicInteger next = new AtomicInteger();
        private final AtomicInteger acceptedCount = new AtomicInteger();
        private final List<Future<?>> ends = new ArrayList<>();

        Sending(final DeskClient client) {
            this.client = client;
            for (int i = 0; i < THREAD_COUNT; i++) {
                ends.add(threads.submit(this::send));
            }
            threads.shutdown();
        }

        private @Nullable Void send() throws Exception {
            int number;
            while ((number = next.incrementAndGet()) <= orderCount) {
                if (client.order("o-" + number, "ACME", 1) == 202) {
                    acceptedCount.incrementAndGet();
                }
            }
            return null;
        }

        void awaitAccepted(final int count) {
            while (acceptedCount.get() < count && !ends.stream().allMatch(Future::isDone)) {
                Thread.onSpinWait();
            }
        }

        /** Returns how many were not accepted. */
        int join() throws InterruptedException, ExecutionException {
            for (final Future<?> end : ends) {
                end.get();
            }
            return orderCount - acceptedCount.get();
        }
    }
}
