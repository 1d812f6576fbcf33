package io.penstock.spring.endpoint;

import io.penstock.spring.listener.ListenerStartException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.converter.MessageConverter;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;
import org.springframework.validation.Validator;

/**
 * Collects listeners until the context has made all singletons, and what they are called with. Given to each {@link
 * PenstockListenerConfigurer}. Used by the context's thread alone.
 */
public final class PenstockListenerEndpointRegistrar {
    private record Registration(
            PenstockListenerEndpoint endpoint, @Nullable PenstockListenerContainerFactory factory) {}

    private final List<Registration> registrations = new ArrayList<>();
    private final List<HandlerMethodArgumentResolver> argumentResolvers = new ArrayList<>();
    private @Nullable PenstockListenerContainerFactory factory;
    private @Nullable MessageConverter converter;
    private @Nullable Validator validator;
    private Predicate<String> replyTopics = topic -> true;

    /**
     * Chooses the factory of listeners that name none.
     *
     * @param newFactory null for the bean {@link PenstockListenerContainerFactory#BEAN_NAME}.
     */
    public void setContainerFactory(final @Nullable PenstockListenerContainerFactory newFactory) {
        factory = newFactory;
    }

    public @Nullable PenstockListenerContainerFactory getContainerFactory() {
        return factory;
    }

    /**
     * Chooses the converter of payloads.
     *
     * @param newConverter null for that of the only template, or the default: texts, bytes, and JSON by Jackson.
     */
    public void setMessageConverter(final @Nullable MessageConverter newConverter) {
        converter = newConverter;
    }

    public @Nullable MessageConverter getMessageConverter() {
        return converter;
    }

    /**
     * Chooses what checks payloads with {@code @Valid} or {@code @Validated}.
     *
     * @param newValidator null for the bean {@code penstockValidator}, or else the only bean that is a validator of Jakarta.
     */
    public void setValidator(final @Nullable Validator newValidator) {
        validator = newValidator;
    }

    public @Nullable Validator getValidator() {
        return validator;
    }

    /**
     * Chooses to which topics messages may ask for a reply, by their header {@code reply-to}.
     *
     * @param allowed true for a topic that may be asked for; unless set, each may. The result for a message that asks for
     *                another one goes to the topic of {@code @SendTo}, or nowhere. Called on the threads of listeners.
     */
    public void setReplyTopics(final Predicate<String> allowed) {
        replyTopics = allowed;
    }

    public Predicate<String> getReplyTopics() {
        return replyTopics;
    }

    /**
     * Adds what resolves arguments of a type of the program's own.
     *
     * @param resolver asked before those of this module.
     */
    public void addArgumentResolver(final HandlerMethodArgumentResolver resolver) {
        argumentResolvers.add(resolver);
    }

    public List<HandlerMethodArgumentResolver> getArgumentResolvers() {
        return List.copyOf(argumentResolvers);
    }

    /**
     * Adds a listener.
     *
     * @param endpoint   the listener.
     * @param ownFactory that makes its container; null for the usual one.
     */
    public void registerEndpoint(
            final PenstockListenerEndpoint endpoint, final @Nullable PenstockListenerContainerFactory ownFactory) {
        registrations.add(new Registration(endpoint, ownFactory));
    }

    /**
     * Makes containers of all listeners.
     *
     * @param registry that keeps them.
     * @throws ListenerStartException when one cannot be made.
     */
    public void registerAll(final PenstockListenerEndpointRegistry registry) {
        for (final Registration each : registrations) {
            final PenstockListenerContainerFactory chosen = each.factory() == null ? factory : each.factory();
            if (chosen == null) {
                throw new ListenerStartException(
                        each.endpoint().description(),
                        "containerFactory",
                        "there is none (declare a bean " + PenstockListenerContainerFactory.BEAN_NAME + " of type "
                                + PenstockListenerContainerFactory.class.getName() + ")",
                        null);
            }
            registry.register(each.endpoint(), chosen);
        }
        registrations.clear();
    }
}
