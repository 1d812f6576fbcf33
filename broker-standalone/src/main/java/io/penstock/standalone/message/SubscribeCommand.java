package io.penstock.standalone.message;

import io.penstock.client.Message;
import io.penstock.client.MessageStream;
import io.penstock.client.PenstockClient;
import io.penstock.client.SubscribeRequest;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints messages as they come. */
@Command(
        name = "subscribe",
        mixinStandardHelpOptions = true,
        description = {
            "Prints the messages of a topic as they come, one a line, from now on.",
            "It ends after --count messages or --seconds, or when it is interrupted."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock subscribe flights                                    everything",
            "  penstock subscribe flights -f \"delay > 60 AND origin = 'JFK'\"  what matches",
            "  penstock subscribe quakes -f '/properties/mag >= 4.5'         fields inside of objects",
            "  penstock subscribe --pattern 'orders\\..*' --long             all topics that match, with their names",
            "  penstock subscribe flights --count 10 | jq .delay             ten, into a pipe"
        })
public final class SubscribeCommand implements Callable<Integer> {
    private static final Duration WAIT = Duration.ofMillis(250);
    private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    @Spec
    private CommandSpec spec;

    @Mixin
    private BrokerOptions broker;

    @Parameters(paramLabel = "TOPIC", description = "Topic, or with --pattern a regular expression over whole names.")
    private String topic;

    @Option(
            names = {"-f", "--filter"},
            paramLabel = "CONDITION",
            defaultValue = "",
            description = "SQL-92 condition over the fields of the message.")
    private String filter;

    @Option(names = "--pattern", description = "TOPIC is a regular expression.")
    private boolean isPattern;

    @Option(
            names = {"-n", "--count"},
            paramLabel = "N",
            defaultValue = "0",
            description = "End after so many messages.")
    private long count;

    @Option(names = "--seconds", paramLabel = "N", defaultValue = "0", description = "End after so long.")
    private long seconds;

    @Option(
            names = {"-l", "--long"},
            description = "Put time, topic and position (shard:sequence) before each message, with tabs between.")
    private boolean isLong;

    @Override
    public Integer call() {
        if (count < 0 || seconds < 0) {
            throw CommandFailure.badInput(
                    (count < 0 ? "--count: too small: " + count : "--seconds: too small: " + seconds)
                            + " (use 0 for no limit, or more)");
        }
        final SubscribeRequest request =
                (isPattern ? SubscribeRequest.pattern(topic) : SubscribeRequest.topic(topic)).filter(filter);
        try (PenstockClient client = broker.connect();
                MessageStream stream = client.stream(request);
                OutputStream out = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 64 * 1024)) {
            final PrintWriter err = spec.commandLine().getErr();
            err.println("subscribed to " + topic + (filter.isEmpty() ? "" : " where " + filter));
            err.flush();
            return print(stream, out);
        } catch (final IOException e) {
            // Whoever read the output has seen enough.
            return Main.EXIT_OK;
        }
    }

    private int print(final MessageStream stream, final OutputStream out) throws IOException {
        final long endNs = System.nanoTime() + seconds * NANOS_PER_SECOND;
        long printed = 0;
        while ((count == 0 || printed < count) && (seconds == 0 || System.nanoTime() - endNs < 0)) {
            Message message = stream.poll(Duration.ZERO);
            if (message == null) {
                out.flush();
                message = stream.poll(WAIT);
            }
            if (message != null) {
                print(message, out);
                printed++;
            } else if (!stream.subscription().isActive()) {
                throw CommandFailure.failed(topic + ": the subscription has ended (is the broker still there?)");
            }
        }
        out.flush();
        return Main.EXIT_OK;
    }

    private void print(final Message message, final OutputStream out) throws IOException {
        if (isLong) {
            final Instant time = Instant.ofEpochSecond(
                    message.timestampNs() / NANOS_PER_SECOND, message.timestampNs() % NANOS_PER_SECOND);
            final String position = message.shard() + ":" + message.sequence();
            out.write((time + "\t" + message.topic() + "\t" + position + "\t").getBytes(StandardCharsets.UTF_8));
        }
        final byte[] bytes = message.bytes();
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n' || bytes[i] == '\r') {
                bytes[i] = ' ';
            }
        }
        out.write(bytes);
        out.write('\n');
    }
}
