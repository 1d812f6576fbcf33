package io.penstock.standalone.message;

import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.input.MessageTemplate;
import io.penstock.standalone.input.StandardInput;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The messages that are published, and to which topic: a file, standard input, or the command line itself. */
final class PayloadOptions {
    private static final String STANDARD_INPUT = "-";

    @Parameters(index = "0", paramLabel = "TOPIC", description = "Topic to publish to; created by first use.")
    private String topic;

    @Parameters(
            index = "1",
            paramLabel = "FILE",
            arity = "0..1",
            description = "File to read, or - for standard input (the default).")
    private @Nullable String file;

    @Option(
            names = {"-m", "--message"},
            paramLabel = "TEXT",
            description = "Publish this text, in place of lines. {{Count}} in it is the number of the message, {{Time}}"
                    + " the time, {{TimeMs}} the same in milliseconds since 1970, {{Id}} a random UUID, {{Random 1 100}} a"
                    + " number of that range.")
    private @Nullable String message;

    @Option(
            names = {"-n", "--count"},
            paramLabel = "N",
            description = "With --message: publish it so often (default: once).")
    private @Nullable Long count;

    /**
     * Where the messages come from, to be closed.
     *
     * @param opening   makes the source, once.
     * @param total     of what the source counts as taken; 0 when nobody knows.
     * @param closeable below it.
     */
    record Opened(Supplier<PayloadSource> opening, long total, Closeable closeable) implements Closeable {
        @Override
        public void close() throws IOException {
            closeable.close();
        }
    }

    String topic() {
        return topic;
    }

    /** Throws when they do not go together. */
    void check() {
        TopicNames.check(topic);
        if (message == null && count != null) {
            throw CommandFailure.badInput("--count: is how often a --message is published (add --message)");
        }
        if (message != null && file != null) {
            throw CommandFailure.badInput("--message: given beside a file: " + file + " (give one of them)");
        }
        if (count != null && count < 1) {
            throw CommandFailure.badInput("--count: too small: " + count + " (use 1 or more)");
        }
    }

    /** Where a message is, for people: the part before its number. */
    String name() {
        return message != null ? "message" : isStandardInput() ? "standard input" : String.valueOf(file);
    }

    /**
     * Opens it.
     *
     * @param lengthMax of a message, in bytes.
     */
    Opened open(final int lengthMax) throws IOException {
        if (message != null) {
            final MessageTemplate template =
                    new MessageTemplate("--message", message, Clock.systemUTC(), new SecureRandom());
            final long times = count == null ? 1 : count;
            return new Opened(() -> new RepeatedMessage(template, times, lengthMax), times, () -> {});
        }
        final InputStream in = isStandardInput() ? StandardInput.open() : open(String.valueOf(file));
        final long total = isStandardInput() ? 0 : Files.size(Path.of(String.valueOf(file)));
        return new Opened(() -> new LineReader(in, name(), lengthMax), total, in);
    }

    private boolean isStandardInput() {
        return file == null || file.equals(STANDARD_INPUT);
    }

    private static InputStream open(final String file) {
        try {
            return Files.newInputStream(Path.of(file));
        } catch (final NoSuchFileException e) {
            throw CommandFailure.badInput(
                    file + ": no such file (give a file, - for standard input, or --message TEXT)");
        } catch (final IOException e) {
            throw CommandFailure.badInput(file + ": cannot be read: " + e.getMessage() + " (give a readable file)");
        }
    }
}
