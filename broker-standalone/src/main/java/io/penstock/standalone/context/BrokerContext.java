package io.penstock.standalone.context;

import io.penstock.client.ClientConfig;
import io.penstock.standalone.CommandFailure;
import io.penstock.transport.Transports;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A broker by a name, and as whom to talk to it. Empty texts are settings that were not given.
 *
 * @param name         of the context.
 * @param broker       its endpoint.
 * @param servers      other brokers to go to.
 * @param user         to log on as.
 * @param passwordFile whose first line is the password.
 * @param clientName   of the client.
 * @param tls          for encrypted endpoints.
 */
public record BrokerContext(
        String name,
        String broker,
        List<String> servers,
        String user,
        String passwordFile,
        String clientName,
        TlsFiles tls) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,63}");
    private static final int VALUE_LENGTH_MAX = 4096;
    private static final int SERVER_COUNT_MAX = 64;
    private static final String USER_INFO_END = "@";

    public BrokerContext {
        servers = List.copyOf(servers);
    }

    /** Throws when a name is none that a context may have. */
    static String checkName(final String name) {
        if (!NAME.matcher(name).matches()) {
            throw CommandFailure.badInput("context: not a name: " + name
                    + " (use up to 64 letters, digits, dots, - and _, the first a letter, a digit or _)");
        }
        return name;
    }

    /** Throws when a value would not fit into a line of the file, or no command could use the servers. */
    void check() {
        checkName(name);
        final List<String> values = new ArrayList<>(servers);
        values.addAll(List.of(broker, user, passwordFile, clientName));
        values.addAll(tls.values());
        for (final String value : values) {
            if (value.length() > VALUE_LENGTH_MAX || value.chars().anyMatch(Character::isISOControl)) {
                throw CommandFailure.badInput("context " + name + ": longer than " + VALUE_LENGTH_MAX
                        + " characters, or with a line end: " + value.substring(0, Math.min(40, value.length()))
                        + " (give a shorter one)");
            }
        }
        if (servers.size() > SERVER_COUNT_MAX) {
            throw CommandFailure.badInput(
                    "--server: more than " + SERVER_COUNT_MAX + ": " + servers.size() + " (give fewer)");
        }
        if (broker.contains(USER_INFO_END) || servers.stream().anyMatch(server -> server.contains(USER_INFO_END))) {
            // It may be a password, which is not printed.
            throw CommandFailure.badInput("context " + name
                    + ": an endpoint has an at sign in it (give user and password by" + " --user and --password-file)");
        }
        try {
            final ClientConfig config = ClientConfig.builder(broker)
                    .servers(servers.toArray(new String[0]))
                    .tls(tls.client())
                    .build();
            Transports.providerFor(config.endpoint());
            Endpoints.check(config.servers());
        } catch (final IllegalArgumentException e) {
            throw CommandFailure.badInput("context " + name + ": " + e.getMessage());
        }
    }

    /** The lines of its file. */
    List<String> lines() {
        final List<String> lines = new ArrayList<>();
        lines.add("broker=" + broker);
        servers.forEach(server -> lines.add("server=" + server));
        addTo(lines, "user", user);
        addTo(lines, "password-file", passwordFile);
        addTo(lines, "name", clientName);
        addTo(lines, "tls-ca", tls.authorities());
        addTo(lines, "tls-cert", tls.certificate());
        addTo(lines, "tls-key", tls.key());
        return lines;
    }

    private static void addTo(final List<String> lines, final String key, final String value) {
        if (!value.isEmpty()) {
            lines.add(key + "=" + value);
        }
    }

    /**
     * Reads a file's lines.
     *
     * @param name  of the context.
     * @param file  for refusals.
     * @param lines of it.
     * @throws CommandFailure when one is not of a context.
     */
    static BrokerContext of(final String name, final String file, final List<String> lines) {
        String broker = "";
        String user = "";
        String passwordFile = "";
        String clientName = "";
        TlsFiles tls = TlsFiles.NONE;
        final List<String> servers = new ArrayList<>();
        int number = 0;
        for (final String line : lines) {
            number++;
            final int end = line.indexOf('=');
            final String value = line.substring(end + 1);
            switch (end < 0 ? line : line.substring(0, end)) {
                case "" -> {}
                case "broker" -> broker = value;
                case "server" -> servers.add(value);
                case "user" -> user = value;
                case "password-file" -> passwordFile = value;
                case "name" -> clientName = value;
                case "tls-ca" -> tls = new TlsFiles(value, tls.certificate(), tls.key());
                case "tls-cert" -> tls = new TlsFiles(tls.authorities(), value, tls.key());
                case "tls-key" -> tls = new TlsFiles(tls.authorities(), tls.certificate(), value);
                default ->
                    throw CommandFailure.badInput(file + ":" + number + ": not of a context: " + line
                            + " (remove the line, or add the context again: penstock context add)");
            }
        }
        if (broker.isEmpty()) {
            throw CommandFailure.badInput(
                    file + ": names no broker (add the context again: penstock context add " + name + ")");
        }
        return new BrokerContext(name, broker, servers, user, passwordFile, clientName, tls);
    }
}
