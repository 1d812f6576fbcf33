package io.penstock.spring.handler;

import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;

/** Checks what another resolver makes: a payload, or a message with one. */
final class ValidatingResolver implements HandlerMethodArgumentResolver {
    private final HandlerMethodArgumentResolver resolver;
    private final PayloadValidation validation;

    ValidatingResolver(final HandlerMethodArgumentResolver resolver, final PayloadValidation validation) {
        this.resolver = resolver;
        this.validation = validation;
    }

    @Override
    public boolean supportsParameter(final MethodParameter parameter) {
        return resolver.supportsParameter(parameter);
    }

    @Override
    public @Nullable Object resolveArgument(final MethodParameter parameter, final Message<?> message)
            throws Exception {
        final Object argument = resolver.resolveArgument(parameter, message);
        if (argument != null) {
            validation.check(argument instanceof Message<?> whole ? whole.getPayload() : argument, parameter, message);
        }
        return argument;
    }
}
