package io.penstock.broker;

import io.penstock.broker.config.ConfigException;
import io.penstock.broker.config.ConfigValue;
import io.penstock.broker.config.ConfigValue.Mapping;
import io.penstock.broker.config.ConfigValue.Scalar;
import io.penstock.broker.config.ConfigValue.Sequence;
import io.penstock.broker.config.RecordBinder;
import io.penstock.broker.security.PermissionRule;
import io.penstock.broker.security.Role;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Makes a broker's configuration of keys and values, as a file, a command line or another program has them. */
public final class BrokerConfigReader {
    private static final String NO_NAME = "(no name)";
    private static final ViewConfig NO_VIEW = new ViewConfig(NO_NAME, "", "", NO_NAME, "");
    private static final SinkConfig NO_SINK = SinkConfig.named(NO_NAME);

    private BrokerConfigReader() {}

    /**
     * Makes a configuration.
     *
     * @param values    by key, for example {@code window} with {@code segmentCount} below it.
     * @param otherKeys that may stand beside the broker's, for the error of an unknown one.
     * @return what was given, and the defaults for the rest.
     * @throws ConfigException at the first key that is unknown or has a wrong value.
     */
    public static BrokerConfig read(final Mapping values, final Set<String> otherKeys) {
        checkTopicsOnce(values);
        if (values.entries().get("permissions") instanceof Mapping permissions) {
            checkRoles(permissions, "permissions.");
        }
        final BrokerConfig defaults = BrokerConfig.builder().build();
        final String format =
                values.entries().get("formatDefault") instanceof Scalar given ? given.text() : defaults.formatDefault();
        final BrokerConfig config = new RecordBinder(
                        values.origin(),
                        Map.of(
                                TopicConfig.class,
                                TopicConfig.topic(NO_NAME, format),
                                ViewConfig.class,
                                NO_VIEW,
                                SinkConfig.class,
                                NO_SINK,
                                Role.class,
                                Role.DEFAULTS,
                                PermissionRule.class,
                                PermissionRule.DEFAULTS),
                        otherKeys)
                .bind(defaults, values, "");
        if (config.topics().stream().anyMatch(topic -> topic.name().equals(NO_NAME))) {
            throw new ConfigException(values.origin(), "topics.name: missing in one of the topics (name each topic)");
        }
        if (config.sinks().files().stream().anyMatch(sink -> sink.name().equals(NO_NAME))) {
            throw new ConfigException(values.origin(), "sinks.files.name: missing in one of them (name each sink)");
        }
        if (config.views().stream()
                .anyMatch(view -> view.name().equals(NO_NAME)
                        || view.sources().contains("")
                        || view.select().equals(NO_NAME))) {
            throw new ConfigException(
                    values.origin(),
                    "views: name, source or select missing in one of the views (give all three, or a join for the source)");
        }
        return config;
    }

    /**
     * Makes permissions of a file that has nothing else.
     *
     * @param values with the key {@code roles}.
     * @param file   that they are from.
     * @return the permissions.
     * @throws ConfigException at the first key that is unknown or has a wrong value.
     */
    public static PermissionsConfig readPermissions(final Mapping values, final String file) {
        checkRoles(values, "");
        final PermissionsConfig read = new RecordBinder(
                        values.origin(),
                        Map.of(Role.class, Role.DEFAULTS, PermissionRule.class, PermissionRule.DEFAULTS))
                .bind(PermissionsConfig.defaults(), values, "");
        if (read.roles().isEmpty() || !read.file().isEmpty()) {
            throw new ConfigException(values.origin(), "roles: missing (list roles, each with a name and rules)");
        }
        return new PermissionsConfig(file, read.roles());
    }

    /** Here, where it is known where each stands. */
    private static void checkRoles(final Mapping permissions, final String path) {
        if (!(permissions.entries().get("roles") instanceof Sequence roles)) {
            return;
        }
        final Map<String, String> originByName = new HashMap<>();
        for (final ConfigValue each : roles.elements()) {
            if (each instanceof Mapping role && role.entries().get("name") instanceof Scalar name) {
                final String before = originByName.put(name.text().strip(), role.origin());
                if (before != null) {
                    throw new ConfigException(
                            role.origin(),
                            "permissions.roles: role " + name.text().strip() + ": there are two, the other at " + before
                                    + " (give one all the rules)");
                }
                checkRules(role, "permissions.roles: role " + name.text().strip() + ", rule ", path);
            }
        }
    }

    private static void checkRules(final Mapping role, final String where, final String path) {
        if (!(role.entries().get("rules") instanceof Sequence rules)) {
            return;
        }
        int number = 0;
        for (final ConfigValue each : rules.elements()) {
            number++;
            if (each instanceof Mapping given) {
                final PermissionRule rule = new RecordBinder(given.origin(), Map.of())
                        .bind(PermissionRule.DEFAULTS, given, path + "roles.rules.");
                try {
                    rule.check(where + number);
                } catch (final IllegalArgumentException e) {
                    throw new ConfigException(given.origin(), String.valueOf(e.getMessage()));
                }
            }
        }
    }

    /** Here, where it is known where each stands. */
    private static void checkTopicsOnce(final Mapping values) {
        if (!(values.entries().get("topics") instanceof Sequence topics)) {
            return;
        }
        final Map<String, Scalar> names = new HashMap<>();
        for (final ConfigValue topic : topics.elements()) {
            if (topic instanceof Mapping mapping
                    && mapping.entries().get("name") instanceof Scalar name
                    && !(mapping.entries().get("pattern") instanceof Scalar pattern
                            && pattern.text().strip().equals("true"))) {
                final Scalar before = names.put(name.text().strip(), name);
                if (before != null) {
                    throw new ConfigException(
                            name.origin(),
                            "topics.name: declared twice: " + name.text().strip() + ", before it at " + before.origin()
                                    + " (declare each topic once)");
                }
            }
        }
    }

    /**
     * Every key that a broker has, with its default as a file would have it.
     *
     * @return defaults by path; the keys of list elements have the list's path before them.
     */
    public static Map<String, String> keys() {
        final Map<String, String> keys = new TreeMap<>();
        RecordBinder.addKeys(BrokerConfig.builder().build(), "", keys);
        RecordBinder.addKeys(TopicConfig.topic(NO_NAME, BrokerConfig.FORMAT_DEFAULT), "topics.", keys);
        RecordBinder.addKeys(NO_VIEW, "views.", keys);
        RecordBinder.addKeys(NO_SINK, "sinks.files.", keys);
        RecordBinder.addKeys(Role.DEFAULTS, "permissions.roles.", keys);
        RecordBinder.addKeys(PermissionRule.DEFAULTS, "permissions.roles.rules.", keys);
        return keys;
    }
}
