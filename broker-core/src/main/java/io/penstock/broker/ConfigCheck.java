package io.penstock.broker;

import io.penstock.broker.agent.CpuPlan;
import io.penstock.broker.filter.syntax.FilterException;
import io.penstock.broker.security.Authorizer;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicRules;
import io.penstock.transport.Transports;
import io.penstock.transport.tls.TlsContexts;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * Finds what would keep a broker from starting with a configuration, or what its operator should know of, before it is
 * started. Nothing is opened, made or changed by that. Any thread.
 */
public final class ConfigCheck {
    private final List<Finding> findings = new ArrayList<>();
    private final BrokerConfig config;

    private ConfigCheck(final BrokerConfig config) {
        this.config = config;
    }

    /**
     * Looks at a configuration and at what it names: files, directories, CPUs.
     *
     * @param config correct in itself.
     * @return everything that was found, mistakes first.
     */
    public static List<Finding> of(final BrokerConfig config) {
        final List<Finding> all = new ArrayList<>(settings(config));
        all.addAll(FileCheck.of(config));
        final ConfigCheck security = new ConfigCheck(config);
        security.users();
        // Without a certificate only endpoints say whether one is needed.
        if (!config.tls().certificate().isEmpty()
                || all.stream().noneMatch(finding -> finding.key().equals("listen"))) {
            security.certificates();
        }
        all.addAll(security.findings);
        all.sort((one, other) -> Boolean.compare(other.isMistake(), one.isMistake()));
        return all;
    }

    /** Looks at a configuration alone, not at this machine. */
    static List<Finding> settings(final BrokerConfig config) {
        final ConfigCheck check = new ConfigCheck(config);
        check.run("listen", check::listen);
        check.endpoints();
        check.run("topics", () -> check.joins(ConfiguredTopics.rules(config)));
        check.names();
        check.directories();
        check.run("cpus", () -> CpuPlan.of(config.cpus(), ThreadCounts.spinning(config)));
        return check.findings;
    }

    /** Reads the files that say who clients are and what they may do. */
    private void users() {
        run("security.users", () -> ConfiguredSecurity.users(config));
        if (config.security().tokens().isUsed()) {
            // An address is not asked.
            run("security.tokens.keys", () -> ConfiguredSecurity.tokens(config, error -> {}));
        }
        run("permissions", () -> ConfiguredSecurity.authorizer(config));
        warnOfUsersWithoutPermissions();
    }

    /** Reads certificates and keys. */
    private void certificates() {
        run("tls", () -> {
            final TlsContexts tls = ConfiguredTls.open(config);
            final String wide = tls == null ? null : tls.wideRights();
            if (wide != null) {
                findings.add(new Finding(
                        "tls.key", "tls.key: others can read it: " + wide + " (chmod 600 " + wide + ")", false));
            }
        });
    }

    private void warnOfUsersWithoutPermissions() {
        if (!config.permissions().isUsed()
                && config.security().knowsUsers()
                && Objects.equals(config.security().authorizer(), Authorizer.ALL)) {
            findings.add(new Finding(
                    "permissions",
                    "permissions: there are users and no permissions, so that every user may do everything (give roles with rules)",
                    false));
        }
    }

    private void listen() {
        ListenCheck.check(config);
        if (config.security().allowInsecureListen()
                && config.listen().stream().anyMatch(endpoint -> ListenCheck.isInsecure(config, endpoint))) {
            findings.add(new Finding(
                    "security.allowInsecureListen",
                    "security.allowInsecureListen: other machines can reach the broker without encryption or authentication (make sure that the network is trusted)",
                    false));
        }
    }

    private void endpoints() {
        final Set<URI> seen = new HashSet<>();
        for (final URI endpoint : config.listen()) {
            run("listen", () -> Transports.providerFor(endpoint));
            if (!seen.add(endpoint) && !String.valueOf(endpoint).endsWith(":0")) {
                mistake("listen", "the same endpoint twice: " + endpoint + " (leave one out)");
            }
            final String authority = endpoint.getRawAuthority();
            final int colon = authority == null ? -1 : authority.lastIndexOf(':');
            if (authority != null && !isPort(authority.substring(colon + 1))) {
                mistake("listen", "no port from 0 to 65535: " + endpoint + " (give one, 0 for any that is free)");
            }
        }
    }

    private static boolean isPort(final String text) {
        return text.matches("[0-9]{1,5}") && Integer.parseInt(text) <= 65_535;
    }

    private void names() {
        final Set<String> seen = new HashSet<>();
        for (final TopicConfig topic : config.topics()) {
            final String wrong = topic.pattern() ? null : Topic.checkName(topic.name());
            if (wrong != null) {
                mistake("topics", wrong);
            } else if (!topic.pattern() && !seen.add(topic.name())) {
                mistake("topics", "cannot declare: " + topic.name() + " (declare each topic once)");
            }
        }
        for (final ViewConfig view : config.views()) {
            for (final String source : view.sources()) {
                if (!seen.contains(source)) {
                    mistake(
                            "views",
                            view.name() + ": no declared topic or view before it: " + source
                                    + " (declare the source, and put views in the order of their sources)");
                }
            }
            if (!seen.add(view.name())) {
                mistake("views", view.name() + ": there is a topic or view of that name (give it another)");
            }
        }
    }

    private void joins(final TopicRules rules) {
        for (final ViewConfig view : config.views()) {
            final String wrong = ConfiguredTopics.shards(view, rules);
            if (wrong != null) {
                mistake("views", wrong);
            }
        }
    }

    /** Each is locked for its own use. */
    private void directories() {
        final Map<Path, String> uses = new HashMap<>();
        final Map<String, String> directories = new TreeMap<>(Map.of(
                "journal.directory", config.journal().directory(),
                "sinks.directory", config.sinks().isUsed() ? config.sinks().directory() : "",
                "audit.directory", config.audit().directory()));
        directories.forEach((key, directory) -> run(key, () -> {
            final String other = directory.isEmpty()
                    ? null
                    : uses.putIfAbsent(Path.of(directory).toAbsolutePath().normalize(), key);
            if (other != null) {
                throw new IllegalArgumentException(
                        "the same as " + other + ": " + directory + " (give each a directory of its own)");
            }
        }));
    }

    private void run(final String key, final Runnable check) {
        try {
            check.run();
        } catch (final IllegalArgumentException | UncheckedIOException | FilterException e) {
            mistake(key, String.valueOf(e.getMessage()));
        }
    }

    private void mistake(final String key, final String text) {
        findings.add(new Finding(key, text.startsWith(key + ":") ? text : key + ": " + text, true));
    }

    /**
     * Something that was found.
     *
     * @param key       of the configuration that it is about.
     * @param text      which says what is wrong and the remedy.
     * @param isMistake whether a broker would not start.
     */
    public record Finding(String key, String text, boolean isMistake) {}
}
