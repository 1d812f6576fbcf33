package io.penstock.bench;

import io.penstock.client.ClientConfig;
import io.penstock.client.PenstockClient;
import io.penstock.client.SowRequest;
import io.penstock.client.Topic;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.console.Json;
import io.penstock.standalone.console.ProgressLine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One broker with so many subscriptions to a topic with state. Owned by the main thread, which publishes and receives. */
final class FanOutRound {
    private static final int CLIENT_COUNT_MAX = 10;
    private static final long DELIVERIES_AHEAD_MAX = 20_000;
    private static final long MESSAGES_AHEAD_MAX = 2_000;
    private static final long LAST_DELIVERY_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);

    private final BenchPlan plan;
    private final LaneMessages messages;
    private final int subscriptionCount;
    private final boolean isEveryMatch;
    private final List<FanOutClient> clients = new ArrayList<>();
    private long number;
    private long expectedMessages;
    private long expectedOutOfFocus;

    FanOutRound(
            final BenchPlan plan,
            final LaneMessages messages,
            final int subscriptionCount,
            final boolean isEveryMatch) {
        this.plan = plan;
        this.messages = messages;
        this.subscriptionCount = subscriptionCount;
        this.isEveryMatch = isEveryMatch;
    }

    /** Measures. Fails when a delivery is missing or too many. */
    Json run() throws IOException, InterruptedException {
        // Room for all that is on its way: nobody falls behind and is sent less than every change.
        try (ForkedBroker broker = ForkedBroker.start(plan, "sessions.descriptorRingLength=8388608");
                PenstockClient control = PenstockClient.connect(broker.endpoint());
                ProgressLine progress = ProgressLine.onErr()) {
            control.declareTopic(Topic.of(Subject.TOPIC, Messages.JSON_FORMAT).key("id"));
            try (PenstockPort publisher =
                    PenstockPort.connect(ClientConfig.of(broker.endpoint()), (buffer, offset, length) -> {})) {
                publishAllKeys(publisher, control);
                subscribe(broker.endpoint());
                progress.draw(subscriptionCount + " subscriptions: warming up");
                publish(publisher, plan.warmUpNs());
                final Subject.Usage before = broker.usage(0);
                final long firstNumber = number;
                final long firstMessages = expectedMessages;
                final long firstOutOfFocus = expectedOutOfFocus;
                final long startNs = System.nanoTime();
                progress.draw(subscriptionCount + " subscriptions: measuring");
                publish(publisher, TimeUnit.SECONDS.toNanos(plan.seconds()));
                final double elapsedS = (System.nanoTime() - startNs) / 1e9;
                final double cpuUs = broker.usage(0).since(before).cpuNs() / 1e3;
                final long count = number - firstNumber;
                final long matched = expectedMessages - firstMessages;
                final long moved = expectedOutOfFocus - firstOutOfFocus;
                return new Json()
                        .field("subscriptions", subscriptionCount)
                        .field("messages", count)
                        .field("msgs_per_s", count / elapsedS)
                        .field("matches_per_msg", (double) matched / count)
                        .field("oof_per_msg", (double) moved / count)
                        .field("broker_cpu_us_per_msg", cpuUs / count)
                        .field("broker_cpu_us_per_delivery", cpuUs / (matched + moved));
            } finally {
                clients.forEach(FanOutClient::close);
            }
        }
    }

    private void publishAllKeys(final PenstockPort publisher, final PenstockClient control)
            throws InterruptedException {
        while (number < messages.keyCount()) {
            if (!publisher.tryPublish(messages.message(number), 0, messages.length())) {
                publisher.poll();
            } else {
                number++;
            }
        }
        final SowRequest all = SowRequest.topic(Subject.TOPIC).select("COUNT(*)");
        while (control.sow(all).stats().matches() < messages.keyCount()) {
            publisher.poll();
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    private void subscribe(final String endpoint) {
        for (int i = 0; i < Math.min(subscriptionCount, CLIENT_COUNT_MAX); i++) {
            clients.add(new FanOutClient(endpoint));
        }
        for (int i = 0; i < subscriptionCount; i++) {
            clients.get(i % clients.size())
                    .subscribe(
                            i,
                            isEveryMatch
                                    ? LaneMessages.filterOfAll(i)
                                    : LaneMessages.filterOfPart(i, subscriptionCount));
        }
    }

    /** Publishes for some time, close ahead of the subscribers, and waits for the last delivery. */
    private void publish(final PenstockPort publisher, final long durationNs) {
        final long endNs = System.nanoTime() + durationNs;
        while (System.nanoTime() - endNs < 0) {
            final long missing = expectedMessages + expectedOutOfFocus - received();
            final long matches = isEveryMatch ? subscriptionCount : 2;
            final long room = Math.min(MESSAGES_AHEAD_MAX, (DELIVERIES_AHEAD_MAX - missing) / matches);
            boolean isRefused = false;
            for (long i = 0; i < Math.max(missing == 0 ? 1 : 0, Math.min(64, room)) && !isRefused; i++) {
                isRefused = !publish(publisher);
            }
            publisher.poll();
            poll();
        }
        final long deadlineNs = System.nanoTime() + LAST_DELIVERY_TIMEOUT_NS;
        while (received() < expectedMessages + expectedOutOfFocus && System.nanoTime() - deadlineNs < 0) {
            publisher.poll();
            poll();
        }
        final long matched = clients.stream().mapToLong(FanOutClient::messages).sum();
        final long moved = clients.stream().mapToLong(FanOutClient::outOfFocus).sum();
        if (matched != expectedMessages || moved != expectedOutOfFocus) {
            throw CommandFailure.failed(String.format(
                    "bench: %,d messages and %,d records out of focus came, not %,d and %,d",
                    matched, moved, expectedMessages, expectedOutOfFocus));
        }
    }

    private boolean publish(final PenstockPort publisher) {
        if (!publisher.tryPublish(messages.message(number), 0, messages.length())) {
            return false;
        }
        expectedMessages += isEveryMatch ? subscriptionCount : 1;
        expectedOutOfFocus += !isEveryMatch && messages.isMove(number, subscriptionCount) ? 1 : 0;
        number++;
        return true;
    }

    private long received() {
        long sum = 0;
        for (int i = 0; i < clients.size(); i++) {
            sum += clients.get(i).messages() + clients.get(i).outOfFocus();
        }
        return sum;
    }

    private void poll() {
        for (int i = 0; i < clients.size(); i++) {
            clients.get(i).poll();
        }
    }
}
