package io.penstock.spring.handler;

import io.penstock.spring.listener.ListenerAttributeException;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.annotation.support.MethodArgumentNotValidException;
import org.springframework.validation.BeanPropertyBindingResult;
import org.springframework.validation.SmartValidator;
import org.springframework.validation.Validator;
import org.springframework.validation.annotation.ValidationAnnotationUtils;

/**
 * Checks payloads when the parameter, or one of its type arguments, is annotated as valid. Of a payload that is a list or a map each
 * element is checked. Safe on any thread.
 */
final class PayloadValidation {
    private final @Nullable Validator validator;
    private final Map<MethodParameter, Optional<Object[]>> hints = new ConcurrentHashMap<>();

    PayloadValidation(final @Nullable Validator validator) {
        this.validator = validator;
    }

    /**
     * Refuses a parameter that nothing would check.
     *
     * @throws ListenerAttributeException when it is annotated, and there is no validator.
     */
    void require(final MethodParameter parameter) {
        if (validator == null && hints(parameter) != null) {
            throw new ListenerAttributeException(
                    "method",
                    "has a parameter that is to be valid, and nothing checks it: " + parameter.getParameter(),
                    "add spring-boot-starter-validation, or give a Validator by a PenstockListenerConfigurer");
        }
    }

    /** The groups that payloads are checked for; null when they are not checked. */
    private Object @Nullable [] hints(final MethodParameter parameter) {
        return hints.computeIfAbsent(parameter, PayloadValidation::find).orElse(null);
    }

    private static Optional<Object[]> find(final MethodParameter parameter) {
        final Optional<Object[]> own = find(parameter.getParameterAnnotations());
        return own.isPresent() ? own : find(parameter.getParameter().getAnnotatedType());
    }

    private static Optional<Object[]> find(final AnnotatedType type) {
        Optional<Object[]> found = find(type.getAnnotations());
        if (type instanceof AnnotatedParameterizedType generic) {
            for (final AnnotatedType argument : generic.getAnnotatedActualTypeArguments()) {
                found = found.isPresent() ? found : find(argument);
            }
        }
        return found;
    }

    private static Optional<Object[]> find(final Annotation... annotations) {
        for (final Annotation annotation : annotations) {
            final Object[] groups = ValidationAnnotationUtils.determineValidationHints(annotation);
            if (groups != null) {
                return Optional.of(groups);
            }
        }
        return Optional.empty();
    }

    void check(final Object payload, final MethodParameter parameter, final Message<?> message) {
        final Object[] groups = validator == null ? null : hints(parameter);
        if (groups == null) {
            return;
        }
        final Iterable<?> elements = payload instanceof Map<?, ?> map
                ? map.values()
                : payload instanceof Iterable<?> all ? all : List.of(payload);
        for (final Object element : elements) {
            if (element != null) {
                check(element, groups, parameter, message);
            }
        }
    }

    private void check(
            final Object element, final Object[] groups, final MethodParameter parameter, final Message<?> message) {
        final BeanPropertyBindingResult result = new BeanPropertyBindingResult(element, "payload");
        if (validator instanceof SmartValidator smart) {
            smart.validate(element, result, groups);
        } else if (validator != null) {
            validator.validate(element, result);
        }
        if (result.hasErrors()) {
            throw new MethodArgumentNotValidException(message, parameter, result);
        }
    }
}
