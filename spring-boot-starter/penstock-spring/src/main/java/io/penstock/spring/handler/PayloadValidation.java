package io.penstock.spring.handler;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedParameterizedType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.annotation.support.MethodArgumentNotValidException;
import org.springframework.validation.BeanPropertyBindingResult;
import org.springframework.validation.SmartValidator;
import org.springframework.validation.Validator;
import org.springframework.validation.annotation.ValidationAnnotationUtils;

/**
 * Checks payloads in parameters that are generic, a list or a record, when the parameter or its type argument is annotated as
 * valid. Safe on any thread.
 */
final class PayloadValidation {
    private final @Nullable Validator validator;

    PayloadValidation(final @Nullable Validator validator) {
        this.validator = validator;
    }

    /** The groups that payloads are checked for; null when they are not checked. */
    Object @Nullable [] hints(final MethodParameter parameter) {
        if (validator == null) {
            return null;
        }
        final List<Annotation> annotations = new ArrayList<>(List.of(parameter.getParameterAnnotations()));
        if (parameter.getParameter().getAnnotatedType() instanceof AnnotatedParameterizedType generic) {
            annotations.addAll(List.of(generic.getAnnotatedActualTypeArguments()[0].getAnnotations()));
        }
        for (final Annotation annotation : annotations) {
            final Object[] hints = ValidationAnnotationUtils.determineValidationHints(annotation);
            if (hints != null) {
                return hints;
            }
        }
        return null;
    }

    void check(
            final Object payload,
            final Object @Nullable [] hints,
            final MethodParameter parameter,
            final Message<?> message) {
        if (validator == null || hints == null) {
            return;
        }
        final BeanPropertyBindingResult result = new BeanPropertyBindingResult(payload, "payload");
        if (validator instanceof SmartValidator smart) {
            smart.validate(payload, result, hints);
        } else {
            validator.validate(payload, result);
        }
        if (result.hasErrors()) {
            throw new MethodArgumentNotValidException(message, parameter, result);
        }
    }
}
