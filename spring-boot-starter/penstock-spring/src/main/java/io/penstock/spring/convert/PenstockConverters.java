package io.penstock.spring.convert;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.messaging.converter.CompositeMessageConverter;
import org.springframework.messaging.converter.MappingJackson2MessageConverter;
import org.springframework.messaging.converter.MessageConverter;
import org.springframework.util.ClassUtils;

/** The converters that are used when a program chooses none. */
public final class PenstockConverters {
    /** The name of the bean that converts for listeners and mirrors when there are several templates. */
    public static final String BEAN_NAME = "penstockMessageConverter";

    private static final String JACKSON_3 = "tools.jackson.databind.json.JsonMapper";
    private static final String JACKSON_3_CONVERTER =
            "org.springframework.messaging.converter.JacksonJsonMessageConverter";
    private static final String JACKSON_2 = "com.fasterxml.jackson.databind.ObjectMapper";

    private PenstockConverters() {}

    /**
     * Texts and bytes as they are, and JSON by Jackson: 3 where Spring and the class path have it, else 2, else none.
     *
     * @return new converters.
     */
    public static MessageConverter defaults() {
        final MessageConverter json = json();
        return json == null ? of() : of(json);
    }

    /**
     * Texts and bytes as they are, and then what a program brings.
     *
     * @param others asked in their order.
     * @return new converters.
     */
    public static MessageConverter of(final MessageConverter... others) {
        final List<MessageConverter> all = new ArrayList<>();
        all.add(new TextMessageConverter());
        all.addAll(List.of(others));
        return new CompositeMessageConverter(all);
    }

    private static @Nullable MessageConverter json() {
        final ClassLoader loader = PenstockConverters.class.getClassLoader();
        if (ClassUtils.isPresent(JACKSON_3, loader) && ClassUtils.isPresent(JACKSON_3_CONVERTER, loader)) {
            return (MessageConverter)
                    BeanUtils.instantiateClass(ClassUtils.resolveClassName(JACKSON_3_CONVERTER, loader));
        }
        return ClassUtils.isPresent(JACKSON_2, loader) ? Jackson2.converter() : null;
    }

    /** Loaded where Jackson 2 is on the class path. */
    private static final class Jackson2 {
        /** Deprecated in favour of a class of Spring 7, which Spring 6 does not have. */
        @SuppressWarnings({"deprecation", "removal"})
        static MessageConverter converter() {
            return new MappingJackson2MessageConverter();
        }
    }
}
