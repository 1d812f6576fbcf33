package io.penstock.standalone.message;

import io.penstock.client.ClientConfig;
import io.penstock.client.PenstockClient;
import io.penstock.standalone.CommandFailure;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which broker to talk to, and as whom. */
final class BrokerOptions {
    @Option(
            names = {"-b", "--broker"},
            paramLabel = "URI",
            defaultValue = "${env:PENSTOCK_BROKER:-tcp://127.0.0.1:9100}",
            description = "The broker's endpoint (default: $PENSTOCK_BROKER, else tcp://127.0.0.1:9100). Several, as in"
                    + " tcp://a:9100,b:9100, count as with --server.")
    private String endpoint;

    @Option(
            names = "--server",
            paramLabel = "URI",
            description = "Another broker to go to when one cannot be reached or its connection is lost, for --timeout"
                    + " seconds; repeatable.")
    private List<String> servers = List.of();

    @Option(
            names = "--name",
            paramLabel = "NAME",
            defaultValue = "",
            description = "Name of this client (default: none).")
    private String name;

    @Option(names = "--user", paramLabel = "USER", defaultValue = "", description = "User to log on as.")
    private String user;

    @Option(names = "--password-file", paramLabel = "FILE", description = "File whose first line is the password.")
    private @Nullable Path passwordFile;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description = "The longest wait for an answer (default: 10).")
    private int timeoutS;

    /** Takes another option's endpoint in place of this one's. */
    void endpoint(final String value) {
        endpoint = value;
    }

    String endpoint() {
        return endpoint;
    }

    String name() {
        return name;
    }

    Duration timeout() {
        return Duration.ofSeconds(timeoutS);
    }

    /**
     * Starts the configuration of a client by these options.
     *
     * @return to be completed.
     * @throws CommandFailure when an option is wrong.
     */
    ClientConfig.Builder config() {
        if (timeoutS < 1) {
            throw CommandFailure.badInput("--timeout: too small: " + timeoutS + " (use 1 or more)");
        }
        try {
            final ClientConfig.Builder config = ClientConfig.builder(endpoint)
                    .servers(servers.toArray(new String[0]))
                    .name(name)
                    .credentials(user, password())
                    .connectTimeout(timeout())
                    .requestTimeout(timeout());
            return config.build().servers().size() == 1 ? config : config.reconnect(timeout());
        } catch (final IllegalArgumentException e) {
            throw CommandFailure.badInput("--broker: " + e.getMessage());
        }
    }

    /**
     * Says so when a name looks like a pattern of other brokers, and is one topic's name here.
     *
     * @param topic     that was given.
     * @param isPattern whether it is a pattern.
     * @param err       to say it on.
     */
    static void warnOfWildcards(final String topic, final boolean isPattern, final PrintWriter err) {
        if (!isPattern && (topic.indexOf('*') >= 0 || topic.indexOf('>') >= 0)) {
            err.println("warning: " + topic
                    + " is the name of one topic (add --pattern for all topics whose names match a regular"
                    + " expression)");
            err.flush();
        }
    }

    /**
     * Connects.
     *
     * @return a client that is logged on.
     */
    PenstockClient connect() {
        return connect(config().build());
    }

    static PenstockClient connect(final ClientConfig config) {
        try {
            return PenstockClient.connect(config);
        } catch (final IllegalArgumentException e) {
            throw CommandFailure.badInput("--broker: " + e.getMessage());
        }
    }

    private String password() {
        if (passwordFile == null) {
            return "";
        }
        try {
            return Files.readString(passwordFile).lines().findFirst().orElse("");
        } catch (final IOException e) {
            throw CommandFailure.badInput("--password-file: cannot be read: " + passwordFile
                    + " (give a file whose first line is the password)");
        }
    }
}
