package io.penstock.spring.annotation;

import io.penstock.spring.PenstockConnection;
import io.penstock.spring.endpoint.PenstockListenerConfigurer;
import io.penstock.spring.endpoint.PenstockListenerContainerFactory;
import io.penstock.spring.endpoint.PenstockListenerEndpoint;
import io.penstock.spring.endpoint.PenstockListenerEndpointRegistrar;
import io.penstock.spring.endpoint.PenstockListenerEndpointRegistry;
import io.penstock.spring.handler.HandlerMethods;
import io.penstock.spring.handler.TypedMethod;
import io.penstock.spring.listener.AckMode;
import io.penstock.spring.listener.Acknowledgment;
import io.penstock.spring.listener.Delivery;
import io.penstock.spring.listener.ListenerAttributeException;
import io.penstock.spring.listener.ListenerStartException;
import io.penstock.spring.listener.PenstockMessageListener;
import io.penstock.spring.template.PenstockTemplate;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Finds {@link PenstockListener} on beans, and has containers made of them when all singletons are there. Used by the
 * context's thread, except that beans may be made on others.
 */
public final class PenstockListenerAnnotationBeanPostProcessor
        implements BeanPostProcessor, BeanFactoryAware, SmartInitializingSingleton, Ordered {
    /** A listener that was found, as its methods are called with what the configurers choose later. */
    private record Found(
            Object bean,
            String beanName,
            PenstockListener annotation,
            @Nullable Method method) {}

    private final Set<Class<?>> withoutListeners = new HashSet<>();
    private final List<Found> found = new ArrayList<>();
    private final Map<String, Integer> idCounts = new LinkedHashMap<>();
    private final PenstockListenerEndpointRegistrar registrar = new PenstockListenerEndpointRegistrar();
    private @Nullable ConfigurableBeanFactory beanFactory;

    /** Null until all singletons are there. */
    private @Nullable HandlerMethods handlers;

    @Override
    public void setBeanFactory(final BeanFactory factory) {
        beanFactory = (ConfigurableBeanFactory) factory;
    }

    private ConfigurableBeanFactory beanFactory() {
        return Objects.requireNonNull(beanFactory, "set by the context");
    }

    /** After all that makes proxies. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    public Object postProcessAfterInitialization(final Object bean, final String beanName) {
        final Class<?> type = AopProxyUtils.ultimateTargetClass(bean);
        synchronized (found) {
            if (withoutListeners.contains(type)) {
                return bean;
            }
            final int before = found.size();
            for (final PenstockListener each : listeners(type)) {
                found.add(new Found(bean, beanName, each, null));
            }
            MethodIntrospector.selectMethods(type, PenstockListenerAnnotationBeanPostProcessor::listenersOrNull)
                    .forEach((method, each) -> each.forEach(one -> found.add(new Found(bean, beanName, one, method))));
            if (found.size() == before) {
                withoutListeners.add(type);
            } else if (handlers != null) {
                registerFound(handlers);
            }
        }
        return bean;
    }

    private static Set<PenstockListener> listeners(final AnnotatedElement element) {
        return AnnotatedElementUtils.getMergedRepeatableAnnotations(
                element, PenstockListener.class, PenstockListeners.class);
    }

    private static @Nullable Set<PenstockListener> listenersOrNull(final Method method) {
        final Set<PenstockListener> listeners = listeners(method);
        return listeners.isEmpty() ? null : listeners;
    }

    @Override
    public void afterSingletonsInstantiated() {
        final ConfigurableBeanFactory beans = beanFactory();
        if (beans instanceof ListableBeanFactory all) {
            all.getBeansOfType(PenstockListenerConfigurer.class)
                    .values()
                    .forEach(configurer -> configurer.configurePenstockListeners(registrar));
        }
        if (registrar.getContainerFactory() == null && beans.containsBean(PenstockListenerContainerFactory.BEAN_NAME)) {
            registrar.setContainerFactory(
                    beans.getBean(PenstockListenerContainerFactory.BEAN_NAME, PenstockListenerContainerFactory.class));
        }
        final ObjectProvider<PenstockTemplate> template = beans.getBeanProvider(PenstockTemplate.class);
        final PenstockTemplate only = template.getIfUnique();
        if (registrar.getMessageConverter() == null && only != null) {
            registrar.setMessageConverter(only.getMessageConverter());
        }
        final HandlerMethods made = new HandlerMethods(template::getIfUnique, registrar);
        synchronized (found) {
            handlers = made;
            registerFound(made);
        }
    }

    private void registerFound(final HandlerMethods made) {
        for (final Found each : found) {
            register(each, made);
        }
        found.clear();
        registrar.registerAll(beanFactory()
                .getBean(PenstockListenerEndpointRegistry.BEAN_NAME, PenstockListenerEndpointRegistry.class));
    }

    private void register(final Found each, final HandlerMethods methods) {
        final Class<?> type = AopProxyUtils.ultimateTargetClass(each.bean());
        final String description =
                each.method() == null ? type.getName() : each.method().toGenericString();
        try {
            final ListenerAttributes attributes = new ListenerAttributes(each.annotation(), beanFactory());
            checkAcknowledgment(attributes, each);
            final String id = id(attributes, each);
            final PenstockMessageListener listener = each.method() == null
                    ? methods.ofClass(each.bean(), type, attributes.isBatch(), of -> handlerMethods(of, each.bean()))
                    : methods.ofMethod(
                            each.bean(),
                            invocable(Objects.requireNonNull(each.method()), each.bean()),
                            attributes.isBatch());
            final PenstockListenerEndpoint endpoint = new PenstockListenerEndpoint(
                    id, description, attributes.subscription(), listener, attributes.overrides());
            for (final PenstockListenerEndpoint one : withRetries(endpoint, each, type)) {
                registrar.registerEndpoint(one, attributes.containerFactory());
            }
        } catch (final ListenerAttributeException e) {
            throw new ListenerStartException(description, "", String.valueOf(e.getMessage()), e);
        }
    }

    private static void checkAcknowledgment(final ListenerAttributes attributes, final Found each) {
        if (each.method() == null || attributes.overrides().ackMode() != AckMode.MANUAL) {
            return;
        }
        final List<Class<?>> types = List.of(each.method().getParameterTypes());
        if (!types.contains(Acknowledgment.class) && !types.contains(Delivery.class) && !attributes.isBatch()) {
            throw new ListenerAttributeException(
                    "ackMode",
                    "is MANUAL, and the method cannot acknowledge",
                    "add a parameter of type Acknowledgment");
        }
    }

    private List<PenstockListenerEndpoint> withRetries(
            final PenstockListenerEndpoint endpoint, final Found each, final Class<?> type) {
        final PenstockRetryTopic retries = AnnotatedElementUtils.findMergedAnnotation(
                each.method() == null ? type : each.method(), PenstockRetryTopic.class);
        return retries == null
                ? List.of(endpoint)
                : new RetryEndpoints(
                                retries,
                                new AnnotationTexts(beanFactory()),
                                beanFactory().getBean(PenstockConnection.class))
                        .of(endpoint);
    }

    private static List<TypedMethod> handlerMethods(final Class<?> type, final Object bean) {
        final List<TypedMethod> methods = new ArrayList<>();
        MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<PenstockHandler>)
                        method -> AnnotatedElementUtils.findMergedAnnotation(method, PenstockHandler.class))
                .forEach((method, handler) ->
                        methods.add(new TypedMethod(invocable(method, bean), handler.type(), handler.isDefault())));
        return methods;
    }

    private static Method invocable(final Method method, final Object bean) {
        try {
            return AopUtils.selectInvocableMethod(method, bean.getClass());
        } catch (final IllegalStateException e) {
            throw new ListenerAttributeException(
                    "method", "cannot be called on the bean's proxy", "make it public, or part of its interface");
        }
    }

    private String id(final ListenerAttributes attributes, final Found each) {
        final String given = attributes.id();
        if (!given.isEmpty()) {
            return given;
        }
        final String base = each.method() == null
                ? each.beanName()
                : each.beanName() + "." + each.method().getName();
        final int count = idCounts.merge(base, 1, Integer::sum);
        return count == 1 ? base : base + "#" + count;
    }
}
