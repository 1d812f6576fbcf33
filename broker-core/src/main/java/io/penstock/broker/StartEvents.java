package io.penstock.broker;

import io.penstock.broker.config.SecretKeys;
import io.penstock.broker.event.EventKind;
import io.penstock.broker.event.EventLog;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** Says with which settings a broker has started, and which of them others could take advantage of. */
final class StartEvents {
    private final EventLog events;

    StartEvents(final EventLog events) {
        this.events = events;
    }

    void report(final BrokerConfig config, final List<URI> endpoints) {
        section("broker", config);
        for (final URI endpoint : endpoints) {
            events.report(EventKind.LISTENING, "endpoint", withoutUser(endpoint));
            if (ListenCheck.isInsecure(config, endpoint)) {
                events.report(
                        EventKind.INSECURE_LISTEN,
                        "endpoint",
                        withoutUser(endpoint),
                        "authenticated",
                        ListenCheck.isAuthenticated(config, endpoint),
                        "encrypted",
                        ListenCheck.isEncrypted(endpoint));
            }
        }
    }

    /** One line for a record's own values, one for each record in it, and how many there are of those in lists. */
    private void section(final String name, final Record settings) {
        final List<Object> pairs = new ArrayList<>(List.of("section", name));
        for (final RecordComponent component : settings.getClass().getRecordComponents()) {
            final Object value = value(settings, component);
            if (value instanceof Record nested) {
                section(component.getName(), nested);
            } else if (isShown(value) && !isCode(component) && !SecretKeys.contains(component.getName())) {
                pairs.add(component.getName());
                pairs.add(shown(value));
            }
        }
        events.report(EventKind.SETTINGS, pairs.toArray());
    }

    private static Object value(final Record settings, final RecordComponent component) {
        try {
            return Objects.requireNonNull(component.getAccessor().invoke(settings));
        } catch (final ReflectiveOperationException e) {
            throw new IllegalStateException("settings: cannot be read: " + component, e);
        }
    }

    /** Not clocks and other code. */
    private static boolean isShown(final Object value) {
        return value instanceof Number
                || value instanceof Boolean
                || value instanceof Enum<?>
                || value instanceof String
                || value instanceof List<?>;
    }

    private static boolean isCode(final RecordComponent component) {
        return component.getGenericType() instanceof ParameterizedType list
                && ((Class<?>) list.getActualTypeArguments()[0]).isInterface();
    }

    private static Object shown(final Object value) {
        if (value instanceof Enum<?> constant) {
            return constant.name().toLowerCase(Locale.ROOT);
        }
        if (value instanceof List<?> list) {
            return list.isEmpty() || !(list.get(0) instanceof Record)
                    ? String.join(",", list.stream().map(StartEvents::element).toList())
                    : (Object) list.size();
        }
        return value;
    }

    private static String element(final Object value) {
        return value instanceof URI endpoint ? withoutUser(endpoint) : String.valueOf(value);
    }

    private static String withoutUser(final URI endpoint) {
        final String user = endpoint.getRawUserInfo();
        return user == null ? endpoint.toString() : endpoint.toString().replace(user + "@", "");
    }
}
