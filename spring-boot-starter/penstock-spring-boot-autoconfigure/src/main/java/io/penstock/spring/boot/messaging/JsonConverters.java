package io.penstock.spring.boot.messaging;

import io.penstock.spring.convert.PenstockConverters;
import java.lang.reflect.Constructor;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.messaging.converter.MessageConverter;
import org.springframework.util.ClassUtils;

/**
 * Converters with the application's own JSON mapper: Boot's bean for Jackson 3 or for Jackson 2, whichever there is. Found by name,
 * as neither need be on the class path.
 */
final class JsonConverters {
    private static final String[][] MAPPERS_AND_CONVERTERS = {
        {"tools.jackson.databind.json.JsonMapper", "org.springframework.messaging.converter.JacksonJsonMessageConverter"
        },
        {
            "com.fasterxml.jackson.databind.ObjectMapper",
            "org.springframework.messaging.converter.MappingJackson2MessageConverter"
        }
    };

    private JsonConverters() {}

    static MessageConverter of(final BeanFactory beans) {
        final ClassLoader loader = JsonConverters.class.getClassLoader();
        for (final String[] pair : MAPPERS_AND_CONVERTERS) {
            if (ClassUtils.isPresent(pair[0], loader) && ClassUtils.isPresent(pair[1], loader)) {
                final Class<?> mapperType = ClassUtils.resolveClassName(pair[0], loader);
                final Object mapper = beans.getBeanProvider(mapperType).getIfUnique();
                final MessageConverter converter = mapper == null
                        ? null
                        : converter(ClassUtils.resolveClassName(pair[1], loader), mapperType, mapper);
                if (converter != null) {
                    return PenstockConverters.of(converter);
                }
            }
        }
        return PenstockConverters.defaults();
    }

    private static @Nullable MessageConverter converter(
            final Class<?> type, final Class<?> mapperType, final Object mapper) {
        final Constructor<?> constructor = ClassUtils.getConstructorIfAvailable(type, mapperType);
        return constructor == null ? null : (MessageConverter) BeanUtils.instantiateClass(constructor, mapper);
    }
}
