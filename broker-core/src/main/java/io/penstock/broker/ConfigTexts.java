package io.penstock.broker;

import io.penstock.broker.ReloadReport.Change;
import io.penstock.broker.config.SecretKeys;
import java.lang.reflect.RecordComponent;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A configuration as texts by key, to be compared with another one. An element of a list that has a name is under the key
 * of the list and its name. Code has its class as text. What is secret is compared, and not shown.
 */
final class ConfigTexts {
    private static final String SECRET = "(secret)";

    private final Map<String, Setting> settings = new LinkedHashMap<>();

    private ConfigTexts() {}

    /**
     * One value.
     *
     * @param value to be compared.
     * @param text  of it, to be shown.
     */
    record Setting(Object value, String text) {}

    /** Settings by key, in the order of the configuration. */
    static Map<String, Setting> of(final Record config) {
        final ConfigTexts all = new ConfigTexts();
        all.add("", config);
        return all.settings;
    }

    /**
     * What differs between two configurations of one kind: by key, in the order of the later one; keys that are no more come
     * last.
     */
    static Map<String, Change> changes(final String path, final Record before, final Record after) {
        final Map<String, Setting> old = of(before);
        final Map<String, Setting> present = of(after);
        final Set<String> keys = new LinkedHashSet<>(present.keySet());
        keys.addAll(old.keySet());
        final Map<String, Change> changes = new LinkedHashMap<>();
        for (final String key : keys) {
            final Setting one = old.get(key);
            final Setting other = present.get(key);
            if (one == null || other == null || !one.value().equals(other.value())) {
                changes.put(
                        path + key,
                        new Change(path + key, one == null ? "" : one.text(), other == null ? "" : other.text()));
            }
        }
        return changes;
    }

    private void add(final String path, final Record record) {
        for (final RecordComponent component : record.getClass().getRecordComponents()) {
            final Object value = valueOf(record, component);
            final String key = path + component.getName();
            if (value instanceof Record nested) {
                add(key + ".", nested);
            } else if (value instanceof List<?> list && !list.isEmpty() && list.get(0) instanceof Record) {
                addNamed(key, list);
            } else {
                settings.put(key, new Setting(value, text(component.getName(), value)));
            }
        }
    }

    /** The order counts as well, as the first rule for a topic does. */
    private void addNamed(final String key, final List<?> list) {
        final List<String> names = new ArrayList<>();
        for (final Object each : list) {
            names.add(name((Record) each, names.size() + 1));
        }
        settings.put(key, new Setting(names, String.join(", ", names)));
        for (int i = 0; i < list.size(); i++) {
            final Object each = list.get(i);
            String unique = key + "." + names.get(i);
            while (settings.containsKey(unique)) {
                unique += "'";
            }
            settings.put(unique, new Setting(each, line((Record) each)));
        }
    }

    /** What is called nothing is told apart by its place, as the first, second and so on. */
    private static String name(final Record element, final int number) {
        for (final RecordComponent component : element.getClass().getRecordComponents()) {
            if (component.getName().equals("name")) {
                return String.valueOf(valueOf(element, component));
            }
        }
        return Integer.toString(number);
    }

    private static String line(final Record element) {
        return ConfigTexts.of(element).entrySet().stream()
                .filter(entry -> !entry.getKey().equals("name")
                        && !entry.getValue().text().isEmpty())
                .map(entry -> entry.getKey() + "=" + entry.getValue().text())
                .collect(Collectors.joining(" "));
    }

    private static String text(final String name, final Object value) {
        if (SecretKeys.contains(name)) {
            return value.toString().isEmpty() ? "" : SECRET;
        }
        if (value instanceof List<?> list) {
            return list.stream().map(ConfigTexts::plain).collect(Collectors.joining(", "));
        }
        return plain(value);
    }

    private static String plain(final Object value) {
        if (value instanceof Enum<?> constant) {
            return constant.name().toLowerCase(Locale.ROOT);
        }
        if (value instanceof URI endpoint) {
            final String user = endpoint.getRawUserInfo();
            return user == null ? endpoint.toString() : endpoint.toString().replace(user + "@", "");
        }
        return value instanceof String || value instanceof Number || value instanceof Boolean
                ? value.toString()
                : value.getClass().getSimpleName();
    }

    private static Object valueOf(final Record record, final RecordComponent component) {
        try {
            return Objects.requireNonNull(component.getAccessor().invoke(record));
        } catch (final ReflectiveOperationException e) {
            throw new IllegalStateException("config: cannot be read: " + component, e);
        }
    }
}
