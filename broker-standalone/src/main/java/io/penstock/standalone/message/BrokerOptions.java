package io.penstock.standalone.message;

import io.penstock.client.ClientConfig;
import io.penstock.client.ConnectionListener;
import io.penstock.client.CredentialsProvider;
import io.penstock.client.LogonCredentials;
import io.penstock.client.LogonMechanism;
import io.penstock.client.PenstockClient;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.console.Colour;
import io.penstock.standalone.console.ControlCharacters;
import io.penstock.standalone.context.BrokerContext;
import io.penstock.standalone.context.ContextStore;
import io.penstock.standalone.context.Endpoints;
import io.penstock.standalone.context.TlsFiles;
import io.penstock.standalone.context.TlsOptions;
import io.penstock.standalone.input.Passwords;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which broker to talk to, and as whom: the options of all commands that talk to one. */
public final class BrokerOptions {
    private static final String ENV_BROKER = "PENSTOCK_BROKER";
    private static final String ENV_CONTEXT = "PENSTOCK_CONTEXT";
    private static final String IPC = "ipc:";
    private static final String ENDPOINT_DEFAULT = "tcp://127.0.0.1:9100";

    @Option(
            names = {"-b", "--broker"},
            paramLabel = "URI",
            description = "The broker's endpoint (default: $PENSTOCK_BROKER, else that of the context in use, else"
                    + " tcp://127.0.0.1:9100). Several, as in tcp://a:9100,b:9100, count as with --server.")
    private @Nullable String endpoint;

    @Option(
            names = "--context",
            paramLabel = "NAME",
            description = "Broker, user, files and name of a context; options beside it go first (see penstock"
                    + " context).")
    private @Nullable String contextName;

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

    @Option(
            names = "--user",
            paramLabel = "USER",
            defaultValue = "",
            description = "User to log on as; the terminal asks for the password, unless it is in --password-file or"
                    + " $PENSTOCK_PASSWORD.")
    private String user;

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "File whose first line is the password; - for standard input.")
    private @Nullable Path passwordFile;

    @Option(
            names = "--allow-plain",
            description = "Send user and password in clear, whoever can read them, or listens in the broker's place; for"
                    + " brokers that take no proof of a password.")
    private boolean isPlainAllowed;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "File whose first line is a token to log on with (OAUTHBEARER), read at each connection; - for"
                    + " standard input.")
    private @Nullable Path tokenFile;

    @Mixin
    private TlsOptions tls;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description = "The longest wait for an answer (default: 10).")
    private int timeoutS;

    /** The server that {@link #connect()} has reached. */
    private final AtomicReference<@Nullable URI> reached = new AtomicReference<>();

    /** Says what to log on with; made on first use. */
    private @Nullable CredentialsProvider credentials;

    /** What is meant in the end; made on first use. */
    private @Nullable BrokerContext resolved;

    /** Made by the command line. */
    public BrokerOptions() {}

    /** Takes another option's endpoint in place of this one's. */
    void endpoint(final String value) {
        endpoint = value;
    }

    /**
     * The broker's endpoint.
     *
     * @return of the options, the environment or the context.
     */
    public String endpoint() {
        return resolved().broker();
    }

    /**
     * The server that a client of {@link #connect()} has reached; known when that has answered.
     *
     * @return its endpoint; that of the options, the environment or the context before.
     */
    public String server() {
        final URI server = reached.get();
        return server == null ? endpoint() : server.toString();
    }

    String name() {
        return resolved().clientName();
    }

    /**
     * The longest wait for an answer.
     *
     * @return as it was given.
     */
    public Duration timeout() {
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
        final BrokerContext meant = resolved();
        final CredentialsProvider known = credentials(meant);
        try {
            final ClientConfig.Builder config = ClientConfig.builder(meant.broker())
                    .servers(meant.servers().toArray(new String[0]))
                    .name(meant.clientName())
                    .credentials(known)
                    .tls(meant.tls().client())
                    .connectTimeout(timeout())
                    .requestTimeout(timeout())
                    // What prints waits for who reads.
                    .handlerWarning(Duration.ZERO);
            Endpoints.check(config.build().servers());
            return config.build().servers().size() == 1 ? config : config.reconnect(timeout());
        } catch (final IllegalArgumentException e) {
            throw CommandFailure.badInput("--broker: " + e.getMessage());
        }
    }

    private BrokerContext resolved() {
        if (resolved == null) {
            resolved = merged(context());
        }
        return resolved;
    }

    /** The context that is meant; an empty one when there is none. */
    private BrokerContext context() {
        final BrokerContext none = new BrokerContext("", "", List.of(), "", "", "", TlsFiles.NONE);
        if (contextName != null) {
            return ContextStore.ofUser().read(contextName);
        }
        if (endpoint != null || isSet(ENV_BROKER)) {
            return none;
        }
        final ContextStore store = ContextStore.ofUser();
        final String used = isSet(ENV_CONTEXT) ? System.getenv(ENV_CONTEXT) : store.current();
        return used == null ? none : store.read(used);
    }

    private BrokerContext merged(final BrokerContext context) {
        final String environment = isSet(ENV_BROKER) ? System.getenv(ENV_BROKER) : ENDPOINT_DEFAULT;
        return new BrokerContext(
                context.name(),
                endpoint != null ? endpoint : context.broker().isEmpty() ? environment : context.broker(),
                // Those of a context are for its own broker.
                servers.isEmpty() && endpoint == null ? context.servers() : servers,
                user.isEmpty() ? context.user() : user,
                passwordFile == null ? context.passwordFile() : passwordFile.toString(),
                name.isEmpty() ? context.clientName() : name,
                tls.files().or(context.tls()));
    }

    private static boolean isSet(final String variable) {
        final String value = System.getenv(variable);
        return value != null && !value.isEmpty();
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
            err.println(Colour.warning() + " " + ControlCharacters.onErr(topic)
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
    public PenstockClient connect() {
        return connect(config().connectionListener(new ConnectionListener() {
                    @Override
                    public void onConnected(final URI server, final int attempt) {
                        reached.set(server);
                    }
                })
                .build());
    }

    static PenstockClient connect(final ClientConfig config) {
        try {
            return PenstockClient.connect(config);
        } catch (final IllegalArgumentException e) {
            throw CommandFailure.badInput("--broker: " + e.getMessage());
        }
    }

    /** A password is asked for before anything connects: a broker does not wait for somebody who types. */
    private CredentialsProvider credentials(final BrokerContext meant) {
        CredentialsProvider known = credentials;
        if (known == null) {
            known = newCredentials(meant);
            credentials = known;
        }
        return known;
    }

    private CredentialsProvider newCredentials(final BrokerContext meant) {
        if (tokenFile != null) {
            return tokens(tokenFile.toString());
        }
        if (meant.user().isEmpty() && meant.passwordFile().isEmpty() && mayProve(meant)) {
            return LogonCredentials::external;
        }
        final LogonCredentials proved =
                LogonCredentials.password(meant.user(), Passwords.ofUser(meant.user(), meant.passwordFile()));
        final LogonCredentials password = isPlainAllowed && !proved.user().isEmpty()
                ? new LogonCredentials(LogonMechanism.PLAIN, proved.user(), proved.secret())
                : proved;
        return () -> password;
    }

    private CredentialsProvider tokens(final String file) {
        if (!user.isEmpty() || passwordFile != null) {
            throw CommandFailure.badInput(
                    "--token-file: beside --user or --password-file: a token names its user (give one of them)");
        }
        if (file.equals(Passwords.STANDARD_INPUT)) {
            final LogonCredentials token = LogonCredentials.token(Passwords.read("--token-file", file));
            return () -> token;
        }
        // It may be written anew before it expires.
        return () -> LogonCredentials.token(Passwords.read("--token-file", file));
    }

    /** Whether the connection itself can prove a user. */
    private static boolean mayProve(final BrokerContext meant) {
        return !meant.tls().certificate().isEmpty() || meant.broker().startsWith(IPC);
    }
}
