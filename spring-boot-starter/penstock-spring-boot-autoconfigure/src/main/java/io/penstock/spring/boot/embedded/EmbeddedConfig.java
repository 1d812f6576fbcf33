package io.penstock.spring.boot.embedded;

import io.penstock.broker.BrokerConfig;
import io.penstock.broker.BrokerConfigReader;
import io.penstock.broker.config.ConfigException;
import io.penstock.broker.config.ConfigValue;
import io.penstock.broker.config.ConfigValue.Mapping;
import io.penstock.broker.config.ConfigValue.Scalar;
import io.penstock.broker.config.ConfigValue.Sequence;
import io.penstock.spring.boot.PenstockConfigurationException;
import io.penstock.spring.boot.PenstockProperties;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * From properties to the configuration of a broker. Keys below {@code penstock.embedded.config} are those of a broker's
 * configuration file, checked by what reads such files; their capitals may be left out, and dashes put in, as of other properties.
 */
final class EmbeddedConfig {
    private static final String PREFIX = PenstockProperties.PREFIX + ".embedded.";
    private static final String CONFIG = PREFIX + "config";

    private EmbeddedConfig() {}

    static BrokerConfig config(
            final PenstockProperties.Embedded properties,
            final String endpoint,
            final EmbeddedTls tls,
            final List<BrokerConfigCustomizer> customizers) {
        final Mapping values = mapping(properties.config());
        refuse(values, "listen", "listen");
        final List<ConfigValue> listen = new ArrayList<>();
        listen.add(new Scalar(endpoint, PREFIX + "name"));
        properties.listen().forEach(each -> listen.add(new Scalar(each, PREFIX + "listen")));
        values.put("listen", new Sequence(listen, PREFIX + "listen"));
        final String directory = properties.journalDirectory();
        if (directory != null && !directory.isEmpty()) {
            values.put("journal.directory", new Scalar(directory, PREFIX + "journal-directory"));
        }
        try {
            final BrokerConfig read = BrokerConfigReader.read(values, Set.of());
            final BrokerConfig.Builder builder = read.toBuilder().tls(tls.config(read.tls()));
            customizers.forEach(each -> each.customize(builder));
            return builder.build();
        } catch (final ConfigException e) {
            throw wrong(String.valueOf(e.getMessage()), e);
        }
    }

    static Duration drainTimeout(final PenstockProperties.Embedded properties) {
        final Duration timeout = properties.drainTimeout();
        if (timeout.isNegative()) {
            throw new PenstockConfigurationException(
                    PREFIX + "drain-timeout", "is negative: " + timeout + " (use 0 or more)", null);
        }
        return timeout;
    }

    /** What the broker says while it starts, with the names of properties. */
    static PenstockConfigurationException refused(final IllegalArgumentException cause) {
        final String message = String.valueOf(cause.getMessage())
                .replace("security.allowInsecureListen", CONFIG + ".security.allow-insecure-listen");
        return message.startsWith("listen: ") || message.startsWith("endpoint: ")
                ? new PenstockConfigurationException(
                        PREFIX + "listen", message.substring(message.indexOf(": ") + 2), cause)
                : new PenstockConfigurationException(CONFIG, message, cause);
    }

    private static void refuse(final Mapping values, final String key, final String property) {
        if (values.entries().containsKey(key)) {
            throw new PenstockConfigurationException(
                    CONFIG + "." + key, "has a property of its own (use " + PREFIX + property + ")", null);
        }
    }

    /** The message begins with the property that the wrong value is of, and a colon. */
    private static PenstockConfigurationException wrong(final String message, final ConfigException cause) {
        final int end = message.indexOf(": ");
        return new PenstockConfigurationException(message.substring(0, end), message.substring(end + 2), cause);
    }

    private static Mapping mapping(final Map<String, String> config) {
        final Map<String, String> names = names();
        final Node root = new Node();
        for (final Map.Entry<String, String> entry : config.entrySet()) {
            Node node = root;
            final StringBuilder path = new StringBuilder();
            for (final String part : entry.getKey().split("\\.", -1)) {
                if (isIndex(part)) {
                    node = node.child(part);
                    continue;
                }
                path.append(path.isEmpty() ? "" : ".").append(plain(part));
                node = node.child(names.getOrDefault(path.toString(), part));
            }
            node.text = entry.getValue();
        }
        return (Mapping) root.value(CONFIG);
    }

    /** The last part of each key and of what it stands below, by the whole in small letters. */
    private static Map<String, String> names() {
        final Map<String, String> names = new HashMap<>();
        for (final String key : BrokerConfigReader.keys().keySet()) {
            for (int end = key.indexOf('.'); ; end = key.indexOf('.', end + 1)) {
                final String path = end < 0 ? key : key.substring(0, end);
                names.put(plain(path), path.substring(path.lastIndexOf('.') + 1));
                if (end < 0) {
                    break;
                }
            }
        }
        return names;
    }

    private static String plain(final String name) {
        return name.replace("-", "").toLowerCase(Locale.ROOT);
    }

    private static boolean isIndex(final String part) {
        return !part.isEmpty() && part.length() < 9 && part.chars().allMatch(each -> each >= '0' && each <= '9');
    }

    /** A place in the tree of keys. */
    private static final class Node {
        private final Map<String, Node> children = new LinkedHashMap<>();
        private String text = "";

        Node child(final String name) {
            return children.computeIfAbsent(name, key -> new Node());
        }

        ConfigValue value(final String origin) {
            if (children.isEmpty() && !origin.equals(CONFIG)) {
                return new Scalar(text, origin);
            }
            if (!origin.equals(CONFIG) && children.keySet().stream().allMatch(EmbeddedConfig::isIndex)) {
                final Map<Integer, ConfigValue> elements = new TreeMap<>();
                children.forEach((index, node) -> elements.put(Integer.valueOf(index), node.value(origin)));
                return new Sequence(List.copyOf(elements.values()), origin);
            }
            final Mapping mapping = Mapping.empty(origin);
            children.forEach((name, node) -> mapping.entries().put(name, node.value(origin + "." + name)));
            return mapping;
        }
    }
}
