package io.penstock.broker.config;

import io.penstock.broker.config.ConfigValue.Mapping;
import io.penstock.broker.config.ConfigValue.Scalar;
import io.penstock.broker.config.ConfigValue.Sequence;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Makes configuration records from values: a key for each component that a file can express, the default record's
 * value for each key that is left out. What the records themselves refuse is reported at the place of the key.
 */
public final class RecordBinder {
    private final Map<Class<?>, Record> elementDefaults;
    private final Map<String, String> originByPath = new HashMap<>();
    private final String origin;
    private final Set<String> otherKeys;

    /**
     * A binder for one configuration.
     *
     * @param origin          named when a mistake has no place of its own.
     * @param elementDefaults for records in lists: what their left-out keys are.
     */
    public RecordBinder(final String origin, final Map<Class<?>, Record> elementDefaults) {
        this(origin, elementDefaults, Set.of());
    }

    /**
     * The same, for a part of a file: the error for an unknown key also names the other keys that may stand beside it.
     */
    public RecordBinder(final String origin, final Map<Class<?>, Record> elementDefaults, final Set<String> otherKeys) {
        this.origin = origin;
        this.elementDefaults = elementDefaults;
        this.otherKeys = otherKeys;
    }

    /**
     * Makes a record.
     *
     * @param defaults what keys that are left out have.
     * @param values   by key.
     * @param path     before the keys in errors, with a dot at its end; empty for none.
     * @return of the same type.
     * @throws ConfigException at the first key that is unknown or has a wrong value.
     */
    public <T extends Record> T bind(final T defaults, final Mapping values, final String path) {
        final List<RecordComponent> components = configurable(defaults.getClass());
        for (final Map.Entry<String, ConfigValue> entry : values.entries().entrySet()) {
            if (components.stream().noneMatch(each -> each.getName().equals(entry.getKey()))) {
                throw unknown(entry.getValue().origin(), path, entry.getKey(), components);
            }
        }
        final RecordComponent[] all = defaults.getClass().getRecordComponents();
        final Object[] arguments = new Object[all.length];
        for (int i = 0; i < all.length; i++) {
            final ConfigValue value = values.entries().get(all[i].getName());
            final Object byDefault = componentValue(defaults, all[i]);
            arguments[i] = value == null
                    ? byDefault
                    : converted(all[i].getGenericType(), byDefault, value, path + all[i].getName());
        }
        return construct(defaults, arguments, values);
    }

    /** The components of a record that a file can express: not clocks, not code. */
    private static List<RecordComponent> configurable(final Class<?> type) {
        return Arrays.stream(type.getRecordComponents())
                .filter(each -> isConfigurable(each.getGenericType()))
                .toList();
    }

    private static Object componentValue(final Record record, final RecordComponent component) {
        try {
            return Objects.requireNonNull(component.getAccessor().invoke(record));
        } catch (final ReflectiveOperationException e) {
            throw new IllegalStateException("config: cannot be read: " + component, e);
        }
    }

    /**
     * Adds every key of a record, with its value as a file would have it. Those of records in lists are left out.
     *
     * @param defaults the record.
     * @param path     before the keys, with a dot at its end; empty for none.
     * @param keys     to add to, values by path.
     */
    public static void addKeys(final Record defaults, final String path, final Map<String, String> keys) {
        for (final RecordComponent component : configurable(defaults.getClass())) {
            final Object value = componentValue(defaults, component);
            if (value instanceof Record nested) {
                addKeys(nested, path + component.getName() + ".", keys);
            } else if (!isListOfRecords(component)) {
                keys.put(path + component.getName(), text(value));
            }
        }
    }

    /**
     * What a file can express of a record.
     *
     * @param record of settings.
     * @return values by key, in their order; those of keys with keys below them are records, or lists of them.
     */
    public static Map<String, Object> values(final Record record) {
        final Map<String, Object> values = new LinkedHashMap<>();
        configurable(record.getClass())
                .forEach(component -> values.put(component.getName(), componentValue(record, component)));
        return values;
    }

    private static boolean isListOfRecords(final RecordComponent component) {
        return component.getGenericType() instanceof ParameterizedType list
                && ((Class<?>) list.getActualTypeArguments()[0]).isRecord();
    }

    private static String text(final Object value) {
        if (value instanceof List<?> list) {
            return list.stream().map(String::valueOf).collect(Collectors.joining(", "));
        }
        return value instanceof Enum<?> constant ? constant.name().toLowerCase(Locale.ROOT) : value.toString();
    }

    private static boolean isConfigurable(final Type type) {
        if (type instanceof ParameterizedType list) {
            return list.getRawType() == List.class && isConfigurable(list.getActualTypeArguments()[0]);
        }
        final Class<?> plain = (Class<?>) type;
        return plain.isPrimitive()
                || plain == Integer.class
                || plain == String.class
                || plain == URI.class
                || plain.isEnum()
                || plain.isRecord();
    }

    private Object converted(final Type type, final Object byDefault, final ConfigValue value, final String path) {
        originByPath.put(path, value.origin());
        if (type instanceof ParameterizedType list) {
            return elements(list.getActualTypeArguments()[0], value, path);
        }
        final Class<?> plain = (Class<?>) type;
        if (plain.isRecord()) {
            if (value instanceof Mapping mapping) {
                return bind((Record) byDefault, mapping, path + ".");
            }
            throw new ConfigException(value.origin(), path + ": not keys with values (indent them below it)");
        }
        if (value instanceof Scalar scalar) {
            return scalar(plain, scalar, path);
        }
        throw new ConfigException(value.origin(), path + ": not a single value (write '" + path + ": value')");
    }

    private List<Object> elements(final Type type, final ConfigValue value, final String path) {
        final List<ConfigValue> given = value instanceof Sequence sequence
                ? sequence.elements()
                : type == Integer.class && value instanceof Scalar scalar ? numbers(scalar) : List.of(value);
        final List<Object> elements = new ArrayList<>();
        for (final ConfigValue each : given) {
            elements.add(converted(type, elementDefaults.getOrDefault(type, NoDefault.INSTANCE), each, path));
        }
        return elements;
    }

    /** WholeNumbers with commas between them, as a flag gives them; nothing for none. */
    private static List<ConfigValue> numbers(final Scalar value) {
        final List<ConfigValue> numbers = new ArrayList<>();
        if (!value.text().isBlank()) {
            for (final String number : value.text().split(",", -1)) {
                numbers.add(new Scalar(number.strip(), value.origin()));
            }
        }
        return numbers;
    }

    private static Object scalar(final Class<?> type, final Scalar value, final String path) {
        final String text = value.text().strip();
        if (type == int.class || type == Integer.class) {
            final long number = WholeNumbers.parse(value, path);
            if (number != (int) number) {
                throw new ConfigException(
                        value.origin(), path + ": too large: " + text + " (use at most " + Integer.MAX_VALUE + ")");
            }
            return (int) number;
        }
        if (type == long.class) {
            return WholeNumbers.parse(value, path);
        }
        if (type == boolean.class) {
            if (text.equals("true") || text.equals("false")) {
                return Boolean.valueOf(text);
            }
            throw new ConfigException(value.origin(), path + ": not a boolean: " + text + " (use true or false)");
        }
        if (type == URI.class) {
            try {
                return URI.create(text);
            } catch (final IllegalArgumentException e) {
                throw new ConfigException(
                        value.origin(),
                        path + ": not an endpoint: " + text + " (use for example tcp://127.0.0.1:9100)");
            }
        }
        return type.isEnum() ? constant(type, value, path) : text;
    }

    private static Object constant(final Class<?> type, final Scalar value, final String path) {
        final List<String> names = new ArrayList<>();
        for (final Object constant : Objects.requireNonNull(type.getEnumConstants())) {
            final String name = constant.toString().toLowerCase(Locale.ROOT);
            if (name.equalsIgnoreCase(value.text().strip())) {
                return constant;
            }
            names.add(name);
        }
        throw new ConfigException(
                value.origin(), path + ": no such choice: " + value.text() + " (use " + String.join(", ", names) + ")");
    }

    @SuppressWarnings("unchecked")
    private <T extends Record> T construct(final T defaults, final Object[] arguments, final Mapping values) {
        try {
            final Class<?>[] types = Arrays.stream(defaults.getClass().getRecordComponents())
                    .map(RecordComponent::getType)
                    .toArray(Class<?>[]::new);
            final Constructor<?> constructor = defaults.getClass().getDeclaredConstructor(types);
            return (T) constructor.newInstance(arguments);
        } catch (final InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException mistake) {
                final String message = String.valueOf(mistake.getMessage());
                final String key = message.substring(0, Math.max(0, message.indexOf(':')));
                throw new ConfigException(
                        originByPath.getOrDefault(key, values.entries().isEmpty() ? origin : values.origin()), message);
            }
            throw new IllegalStateException("config: cannot be made: " + defaults.getClass(), e);
        } catch (final ReflectiveOperationException e) {
            throw new IllegalStateException("config: cannot be made: " + defaults.getClass(), e);
        }
    }

    private ConfigException unknown(
            final String origin, final String path, final String key, final List<RecordComponent> components) {
        final TreeSet<String> names = new TreeSet<>(path.isEmpty() ? otherKeys : Set.of());
        components.forEach(component -> names.add(component.getName()));
        for (final String name : names) {
            if (name.equalsIgnoreCase(key)) {
                return new ConfigException(origin, path + key + ": no such key (did you mean " + name + "?)");
            }
        }
        return new ConfigException(origin, path + key + ": no such key (use one of " + String.join(", ", names) + ")");
    }

    /** Stands for the default of a list's elements that are no records. */
    private record NoDefault() {
        static final NoDefault INSTANCE = new NoDefault();
    }
}
