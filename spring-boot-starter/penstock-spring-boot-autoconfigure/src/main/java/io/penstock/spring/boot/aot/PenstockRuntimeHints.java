package io.penstock.spring.boot.aot;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.util.ClassUtils;

/**
 * The native libraries and the lists of transports and formats as resources; by reflection the records of an embedded broker's
 * configuration, which are made from keys, and the converters of JSON, which are found by name.
 */
public final class PenstockRuntimeHints implements RuntimeHintsRegistrar {
    private static final String BROKER_CONFIG = "io.penstock.broker.BrokerConfig";
    private static final String[] CONFIG_ELEMENTS = {
        "io.penstock.broker.TopicConfig", "io.penstock.broker.ViewConfig", "io.penstock.broker.SinkConfig"
    };
    private static final String[] CONVERTERS = {
        "org.springframework.messaging.converter.JacksonJsonMessageConverter",
        "org.springframework.messaging.converter.MappingJackson2MessageConverter"
    };

    @Override
    public void registerHints(final RuntimeHints hints, final @Nullable ClassLoader loader) {
        hints.resources().registerPattern("META-INF/services/io.penstock.*").registerPattern("META-INF/native/**");
        for (final String converter : CONVERTERS) {
            hints.reflection().registerTypeIfPresent(loader, converter, MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS);
        }
        if (ClassUtils.isPresent(BROKER_CONFIG, loader)) {
            final Set<Class<?>> known = new HashSet<>();
            registerRecord(hints, ClassUtils.resolveClassName(BROKER_CONFIG, loader), known);
            for (final String element : CONFIG_ELEMENTS) {
                registerRecord(hints, ClassUtils.resolveClassName(element, loader), known);
            }
        }
    }

    private static void registerRecord(final RuntimeHints hints, final Class<?> type, final Set<Class<?>> known) {
        if (!type.isRecord() || !known.add(type)) {
            return;
        }
        hints.reflection()
                .registerType(
                        TypeReference.of(type),
                        MemberCategory.INVOKE_DECLARED_CONSTRUCTORS,
                        MemberCategory.INVOKE_PUBLIC_METHODS);
        for (final RecordComponent component : type.getRecordComponents()) {
            registerRecord(hints, plain(component.getGenericType()), known);
        }
    }

    private static Class<?> plain(final Type type) {
        if (type instanceof ParameterizedType list) {
            return plain(list.getActualTypeArguments()[0]);
        }
        return type instanceof Class<?> plain ? plain : Object.class;
    }
}
