package io.penstock.standalone.config;

import io.penstock.admin.AdminConfig;
import io.penstock.bridge.config.BridgeConfig;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.BrokerConfigReader;
import io.penstock.broker.PermissionsConfig;
import io.penstock.broker.config.ConfigException;
import io.penstock.broker.config.ConfigValue;
import io.penstock.broker.config.ConfigValue.Mapping;
import io.penstock.broker.config.ConfigValue.Scalar;
import io.penstock.broker.config.ConfigValue.Sequence;
import io.penstock.broker.config.RecordBinder;
import io.penstock.broker.config.SecretKeys;
import io.penstock.cluster.ClusterConfig;
import io.penstock.standalone.logger.LogConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Collects what a file and flags say, later ones over earlier ones, and makes configurations of it. */
public final class ConfigSource {
    private static final String ADMIN = "admin";
    private static final String BRIDGE = "bridge";
    private static final String LOG = "log";
    private static final String CLUSTER = "cluster";
    private static final int MISTAKE_COUNT_MAX = 100;

    private final Set<String> dropped = new HashSet<>();
    private Mapping values = Mapping.empty("command line");
    private @Nullable Path file;

    /**
     * Reads a YAML file, in place of everything collected so far.
     *
     * @param file to read.
     * @return this.
     * @throws ConfigException when it is not there or not YAML.
     */
    public ConfigSource file(final Path file) {
        values = YamlReader.read(file);
        this.file = file;
        return this;
    }

    /**
     * Gives one key a value.
     *
     * @param path   of the key, for example {@code window.segmentCount}.
     * @param text   the value, as a file would have it.
     * @param origin to name when it is wrong, for example {@code --set}.
     * @return this.
     */
    public ConfigSource value(final String path, final String text, final String origin) {
        values.put(path, new Scalar(text, origin));
        return this;
    }

    /**
     * Gives one key several values.
     *
     * @param path   of the key.
     * @param texts  the values.
     * @param origin to name when one is wrong.
     * @return this.
     */
    public ConfigSource list(final String path, final List<String> texts, final String origin) {
        values.put(
                path,
                new Sequence(
                        texts.stream()
                                .<ConfigValue>map(text -> new Scalar(text, origin))
                                .toList(),
                        origin));
        return this;
    }

    /**
     * Adds a declared topic.
     *
     * @param name   of the topic.
     * @param format of its messages; empty for the default.
     * @param origin to name when one is wrong.
     * @return this.
     */
    public ConfigSource topic(final String name, final String format, final String origin) {
        final Mapping topic = Mapping.empty(origin);
        topic.put("name", new Scalar(name, origin));
        if (!format.isEmpty()) {
            topic.put("format", new Scalar(format, origin));
        }
        final List<ConfigValue> topics = new ArrayList<>();
        if (values.entries().get("topics") instanceof Sequence sequence) {
            topics.addAll(sequence.elements());
        }
        topics.add(topic);
        values.put("topics", new Sequence(topics, origin));
        return this;
    }

    /**
     * Adds a sink.
     *
     * @param name   of the sink.
     * @param origin to name when it is wrong.
     * @return this.
     */
    public ConfigSource sink(final String name, final String origin) {
        final Mapping sink = Mapping.empty(origin);
        sink.put("name", new Scalar(name, origin));
        final Mapping sinks =
                values.entries().get("sinks") instanceof Mapping present ? present : Mapping.empty(origin);
        final List<ConfigValue> files = new ArrayList<>();
        if (sinks.entries().get("files") instanceof Sequence sequence) {
            files.addAll(sequence.elements());
        }
        files.add(sink);
        sinks.put("files", new Sequence(files, origin));
        values.put("sinks", sinks);
        return this;
    }

    /**
     * Makes the configuration.
     *
     * @return what was collected, and the defaults for the rest.
     * @throws ConfigException at the first key that is unknown or has a wrong value.
     */
    public BrokerConfig config() {
        final BrokerConfig config = settings();
        final String file = config.permissions().file();
        return file.isEmpty()
                ? config
                : config.toBuilder().permissions(permissions(Path.of(file))).build();
    }

    /**
     * Makes the configuration without reading the file of permissions, if it names one.
     *
     * @return what was collected, and the defaults for the rest; of permissions in a file of their own the name alone.
     * @throws ConfigException at the first key that is unknown or has a wrong value.
     */
    public BrokerConfig settings() {
        final BrokerConfig config = BrokerConfigReader.read(brokerValues(), Set.of(ADMIN, BRIDGE, LOG, CLUSTER));
        final String file = config.permissions().file();
        if (!file.isEmpty() && !config.permissions().roles().isEmpty()) {
            throw new ConfigException(
                    values.origin(), "permissions.roles: beside permissions.file: " + file + " (give one of them)");
        }
        return config;
    }

    /**
     * Reads a file of permissions.
     *
     * @param file to read: YAML with roles.
     * @return the permissions in it.
     * @throws ConfigException when it is not there or not YAML, or at the first key that is unknown or has a wrong value.
     */
    public static PermissionsConfig permissions(final Path file) {
        return BrokerConfigReader.readPermissions(YamlReader.read(file), file.toString());
    }

    private Mapping brokerValues() {
        final Mapping broker = new Mapping(new LinkedHashMap<>(values.entries()), values.origin());
        broker.entries().remove(ADMIN);
        broker.entries().remove(BRIDGE);
        broker.entries().remove(LOG);
        broker.entries().remove(CLUSTER);
        return broker;
    }

    /**
     * Makes the configuration of the bridge for RMI and CORBA clients.
     *
     * @return what was collected below {@code bridge}, and the defaults for the rest.
     * @throws ConfigException at the first key that is unknown or has a wrong value.
     */
    public BridgeConfig bridge() {
        checkTls();
        return part(BRIDGE, BridgeConfig.defaults());
    }

    /** Refuses what the bridge was given keys for TLS by before there were those of all ports. */
    private void checkTls() {
        if (values.entries().get(BRIDGE) instanceof Mapping bridge
                && bridge.entries().get("rmi") instanceof Mapping rmi
                && rmi.entries().get("tls") instanceof Mapping old) {
            throw new ConfigException(
                    old.origin(),
                    "bridge.rmi.tls: has no keys of its own any more (use bridge.rmi.tls: true, and for all ports"
                            + " tls.certificate with tls.password in place of keyStore, tls.trust with tls.trustPassword"
                            + " and tls.clientCertificates: required in place of trustStore)");
        }
    }

    /**
     * Makes the configuration of the admin server.
     *
     * @return what was collected below {@code admin}, and the defaults for the rest.
     * @throws ConfigException at the first key that is unknown or has a wrong value.
     */
    public AdminConfig admin() {
        return part(ADMIN, AdminConfig.defaults());
    }

    /**
     * Makes the configuration of the log that the process writes.
     *
     * @return what was collected below {@code log}, and the defaults for the rest.
     * @throws ConfigException at the first key that is unknown or has a wrong value.
     */
    public LogConfig log() {
        return part(LOG, LogConfig.defaults());
    }

    /**
     * Makes the configuration of the cluster that the broker is a node of.
     *
     * @return what was collected below {@code cluster}, and the defaults for the rest.
     * @throws ConfigException at the first key that is unknown or has a wrong value.
     */
    public ClusterConfig cluster() {
        return part(CLUSTER, ClusterConfig.defaults());
    }

    private <T extends Record> T part(final String key, final T defaults) {
        final ConfigValue given = values.entries().get(key);
        if (given == null) {
            return defaults;
        }
        if (given instanceof Mapping mapping) {
            return new RecordBinder(given.origin(), Map.of()).bind(defaults, mapping, key + ".");
        }
        throw new ConfigException(given.origin(), key + ": not keys with values (indent them below it)");
    }

    /**
     * Finds all mistakes, not just the first: what is wrong is left out, with the element of a list that it is in, until
     * nothing is wrong with the rest.
     *
     * @return mistakes in the order in which they were found; afterwards this makes configurations of the rest.
     */
    public List<ConfigException> dropMistakes() {
        final List<ConfigException> mistakes = new ArrayList<>();
        while (mistakes.size() < MISTAKE_COUNT_MAX) {
            try {
                config();
                admin();
                bridge();
                log();
                cluster();
                return mistakes;
            } catch (final ConfigException e) {
                mistakes.add(e);
                final Set<String> before = Set.copyOf(values.entries().keySet());
                if (!new MistakenValue(e).dropFrom(values) && !dropPermissions(e)) {
                    // Nothing is left to look at.
                    values = Mapping.empty(values.origin());
                }
                if (e.key().startsWith("topics")) {
                    // The sources of views may be among those left out.
                    dropped.add("views");
                }
                before.stream()
                        .filter(key -> !values.entries().containsKey(key))
                        .forEach(dropped::add);
            }
        }
        return mistakes;
    }

    /** What is wrong with the file of permissions leaves out that file. */
    private boolean dropPermissions(final ConfigException mistake) {
        return values.entries().get("permissions") instanceof Mapping permissions
                && permissions.entries().get("file") instanceof Scalar name
                && mistake.origin().startsWith(name.text().strip())
                && values.entries().remove("permissions") != null;
    }

    /**
     * Whether a key was left out as a whole, so that nothing can be said of what is missing in it.
     *
     * @param path of the key.
     * @return whether {@link #dropMistakes()} has left out the section that it is in.
     */
    public boolean isDropped(final String path) {
        return dropped.contains(path.replaceFirst("\\..*", ""));
    }

    /**
     * Which secrets others can read in the file.
     *
     * @return which file and the remedy; null when it has none, or is its owner's alone.
     */
    public @Nullable WideFile wideSecrets() {
        try {
            return file != null && hasSecrets(values) && WideFile.isWide(file) ? new WideFile(file) : null;
        } catch (final IOException e) {
            // Its rights cannot be seen, as those of a pipe.
            return null;
        }
    }

    private static boolean hasSecrets(final Mapping mapping) {
        return mapping.entries().entrySet().stream()
                .anyMatch(entry -> entry.getValue() instanceof Mapping below
                        ? hasSecrets(below)
                        : entry.getValue() instanceof Scalar value
                                && SecretKeys.contains(entry.getKey())
                                && !value.text().isEmpty()
                                && !value.origin().startsWith("--"));
    }

    /**
     * Where the value of a key stands.
     *
     * @param path of the key.
     * @return for example {@code penstock.yaml:12}; where everything stands when the key is not given.
     */
    public String origin(final String path) {
        ConfigValue value = values;
        for (final String key : path.split("\\.", -1)) {
            if (!(value instanceof Mapping mapping) || mapping.entries().get(key) == null) {
                break;
            }
            value = Objects.requireNonNull(mapping.entries().get(key));
        }
        return value.origin();
    }

    /**
     * Every key that a file may have, with its default as a file would have it.
     *
     * @return defaults by path; the keys of list elements have the list's path before them.
     */
    public static Map<String, String> keys() {
        final Map<String, String> keys = new TreeMap<>(BrokerConfigReader.keys());
        RecordBinder.addKeys(AdminConfig.defaults(), ADMIN + ".", keys);
        RecordBinder.addKeys(BridgeConfig.defaults(), BRIDGE + ".", keys);
        RecordBinder.addKeys(LogConfig.defaults(), LOG + ".", keys);
        RecordBinder.addKeys(ClusterConfig.defaults(), CLUSTER + ".", keys);
        return keys;
    }
}
