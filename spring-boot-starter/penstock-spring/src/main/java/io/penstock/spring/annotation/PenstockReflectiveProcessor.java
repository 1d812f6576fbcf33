package io.penstock.spring.annotation;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.annotation.ReflectiveProcessor;
import org.springframework.core.ResolvableType;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Headers;

/**
 * What a native image needs of a listener's method or a mirror's field: to call or set it, and to read and write its
 * payload's class. Used while a program is built.
 */
final class PenstockReflectiveProcessor implements ReflectiveProcessor {
    private final BindingReflectionHintsRegistrar bindings = new BindingReflectionHintsRegistrar();

    @Override
    public void registerReflectionHints(final ReflectionHints hints, final AnnotatedElement element) {
        if (element instanceof Method method) {
            hints.registerMethod(method, ExecutableMode.INVOKE);
            for (final Parameter parameter : method.getParameters()) {
                if (!parameter.isAnnotationPresent(Header.class) && !parameter.isAnnotationPresent(Headers.class)) {
                    bind(hints, parameter.getParameterizedType());
                }
            }
            if (method.getReturnType() != void.class) {
                bind(hints, method.getGenericReturnType());
            }
        } else if (element instanceof Field field) {
            hints.registerField(field);
            bind(hints, field.getGenericType());
        }
    }

    /** A program's own classes: those of lists, maps, Spring messages and records are in their generics. */
    private void bind(final ReflectionHints hints, final Type type) {
        final ResolvableType resolvable = ResolvableType.forType(type);
        for (final ResolvableType generic : resolvable.getGenerics()) {
            bind(hints, generic.getType());
        }
        final Class<?> raw = resolvable.resolve(Object.class);
        if (!raw.isPrimitive()
                && !raw.isArray()
                && !raw.getName().startsWith("java.")
                && !raw.getName().startsWith("io.penstock.client.")
                && !raw.getName().startsWith("io.penstock.spring.template.")
                && !raw.getName().startsWith("org.springframework.")) {
            bindings.registerReflectionHints(hints, raw);
        }
    }
}
