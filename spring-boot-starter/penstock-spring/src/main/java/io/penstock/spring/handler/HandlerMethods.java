package io.penstock.spring.handler;

import io.penstock.spring.convert.MessageMapper;
import io.penstock.spring.convert.PenstockConverters;
import io.penstock.spring.endpoint.PenstockListenerEndpointRegistrar;
import io.penstock.spring.listener.ListenerAttributeException;
import io.penstock.spring.listener.PenstockMessageListener;
import io.penstock.spring.template.PenstockTemplate;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.format.support.DefaultFormattingConversionService;
import org.springframework.messaging.converter.MessageConverter;
import org.springframework.messaging.handler.annotation.SendTo;
import org.springframework.messaging.handler.annotation.support.DefaultMessageHandlerMethodFactory;
import org.springframework.messaging.handler.annotation.support.HeaderMethodArgumentResolver;
import org.springframework.messaging.handler.annotation.support.HeadersMethodArgumentResolver;
import org.springframework.messaging.handler.annotation.support.MessageMethodArgumentResolver;
import org.springframework.messaging.handler.annotation.support.PayloadMethodArgumentResolver;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;

/** Makes listeners of methods, and checks before that they can be called. */
public final class HandlerMethods {
    private final MessageConverter converter;
    private final List<HandlerMethodArgumentResolver> argumentResolvers;
    private final UnaryOperator<String> texts;
    private final Replies replies;
    private final PayloadValidation validation;
    private final DefaultMessageHandlerMethodFactory single;
    private final DefaultMessageHandlerMethodFactory batch;

    /**
     * Makes it.
     *
     * @param template  that replies and results go out by; gives null where there is none.
     * @param registrar says with what methods are called.
     * @param texts     resolves placeholders and expressions in annotations.
     */
    public HandlerMethods(
            final Supplier<@Nullable PenstockTemplate> template,
            final PenstockListenerEndpointRegistrar registrar,
            final UnaryOperator<String> texts) {
        this(template, registrar, texts, Replies.TIMEOUT_DEFAULT);
    }

    HandlerMethods(
            final Supplier<@Nullable PenstockTemplate> template,
            final PenstockListenerEndpointRegistrar registrar,
            final UnaryOperator<String> texts,
            final Duration timeout) {
        this.texts = texts;
        final MessageConverter chosen = registrar.getMessageConverter();
        converter = chosen == null ? PenstockConverters.defaults() : PenstockConverters.of(chosen);
        replies = new Replies(template, registrar.getReplyTopics(), timeout);
        argumentResolvers = registrar.getArgumentResolvers();
        final MessageMapper mapper = new MessageMapper(converter);
        validation = new PayloadValidation(registrar.getValidator());
        single = factory(new DeliveryArgumentResolver(mapper, validation));
        batch = factory(new BatchArgumentResolver(mapper, validation));
    }

    /** In the order of Spring, whose own resolvers check neither messages nor the elements of lists. */
    private DefaultMessageHandlerMethodFactory factory(final HandlerMethodArgumentResolver own) {
        final List<HandlerMethodArgumentResolver> resolvers = new ArrayList<>();
        resolvers.add(new HeaderMethodArgumentResolver(new DefaultFormattingConversionService(), null));
        resolvers.add(new HeadersMethodArgumentResolver());
        resolvers.add(new ValidatingResolver(new MessageMethodArgumentResolver(converter), validation));
        resolvers.addAll(argumentResolvers);
        resolvers.add(own);
        resolvers.add(new ValidatingResolver(new PayloadMethodArgumentResolver(converter), validation));
        final DefaultMessageHandlerMethodFactory factory = new DefaultMessageHandlerMethodFactory();
        factory.setArgumentResolvers(resolvers);
        factory.afterPropertiesSet();
        return factory;
    }

    /**
     * A listener that calls a method.
     *
     * @param bean       that has it, or its proxy.
     * @param method     of the bean.
     * @param isBatch    whether it takes a list of messages.
     * @return the listener.
     * @throws ListenerAttributeException when the method cannot be called so.
     */
    public PenstockMessageListener ofMethod(final Object bean, final Method method, final boolean isBatch) {
        final Signature signature = signature(bean, method, isBatch);
        return new MethodListener(
                (isBatch ? batch : single).createInvocableHandlerMethod(bean, method), signature, isBatch, replies);
    }

    /**
     * A listener that calls one of several methods, by the type of the message.
     *
     * @param bean       that has them, or its proxy.
     * @param type       of the bean, without a proxy.
     * @param isBatch    is refused.
     * @param methods    that may be called, each with the names of its type; see {@link TypedMethod}.
     * @return the listener.
     * @throws ListenerAttributeException when there is none, or one cannot be called, or two are of one type.
     */
    public PenstockMessageListener ofClass(
            final Object bean,
            final Class<?> type,
            final boolean isBatch,
            final Function<Class<?>, List<TypedMethod>> methods) {
        if (isBatch) {
            throw new ListenerAttributeException(
                    "batch", "does not go with a listener that is a class", "annotate a method that takes a list");
        }
        return new TypedListener(methods.apply(type), method -> {
            final Signature signature = signature(bean, method, false);
            return new MethodListener(single.createInvocableHandlerMethod(bean, method), signature, false, replies);
        });
    }

    private Signature signature(final Object bean, final Method method, final boolean isBatch) {
        final Signature signature = Signature.of(method, isBatch, converter, argumentResolvers);
        replies.check(method, isBatch);
        for (int i = 0; i < method.getParameterCount(); i++) {
            final MethodParameter parameter = new MethodParameter(method, i);
            if (argumentResolvers.stream().noneMatch(resolver -> resolver.supportsParameter(parameter))) {
                validation.require(parameter);
            }
        }
        return signature.hasResult() ? signature.to(sendTo(bean, method)) : signature;
    }

    /** That of the bean's own method: a proxy of Java has the methods of interfaces alone. */
    private @Nullable String sendTo(final Object bean, final Method method) {
        final Class<?> type = AopProxyUtils.ultimateTargetClass(bean);
        final Method own = AopUtils.getMostSpecificMethod(method, type);
        SendTo sendTo = AnnotatedElementUtils.findMergedAnnotation(own, SendTo.class);
        if (sendTo == null) {
            sendTo = AnnotatedElementUtils.findMergedAnnotation(type, SendTo.class);
        }
        if (sendTo == null) {
            return null;
        }
        if (sendTo.value().length != 1) {
            throw new ListenerAttributeException("@SendTo", "names " + sendTo.value().length + " topics", "name one");
        }
        return texts.apply(sendTo.value()[0]);
    }
}
