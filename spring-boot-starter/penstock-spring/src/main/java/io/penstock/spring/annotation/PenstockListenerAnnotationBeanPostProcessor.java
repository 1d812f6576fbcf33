package io.penstock.spring.annotation;

import io.penstock.spring.PenstockConnection;
import io.penstock.spring.endpoint.PenstockListenerConfigurer;
import io.penstock.spring.endpoint.PenstockListenerContainerFactory;
import io.penstock.spring.endpoint.PenstockListenerEndpoint;
import io.penstock.spring.endpoint.PenstockListenerEndpoint.Overrides;
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
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
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
import org.springframework.core.ResolvableType;
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
    private final String runId = UUID.randomUUID().toString();
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
            if (withoutListeners.contains(type) || ScopedProxyUtils.isScopedTarget(beanName)) {
                // What has a scope is called by its proxy, which finds the bean for each call.
                return bean;
            }
            final List<Found> ofBean = new ArrayList<>();
            for (final PenstockListener each : listeners(type)) {
                ofBean.add(new Found(bean, beanName, each, null));
            }
            MethodIntrospector.selectMethods(type, PenstockListenerAnnotationBeanPostProcessor::listenersOrNull)
                    .forEach((method, each) -> each.forEach(one -> ofBean.add(new Found(bean, beanName, one, method))));
            if (ofBean.isEmpty()) {
                withoutListeners.add(type);
                return bean;
            }
            checkScope(beanName, type);
            found.addAll(ofBean);
            if (handlers != null) {
                registerFound(handlers);
            }
        }
        return bean;
    }

    private void checkScope(final String beanName, final Class<?> type) {
        final ConfigurableBeanFactory beans = beanFactory();
        if (beans.containsBean(beanName) && beans.isPrototype(beanName)) {
            throw new ListenerStartException(
                    type.getName(),
                    "",
                    "has the scope prototype, and each instance would listen as long as the context: " + beanName
                            + " (make it a singleton, or give its scope a proxyMode)",
                    null);
        }
    }

    /** Those of the element, or else those of what it overrides. */
    private static Set<PenstockListener> listeners(final AnnotatedElement element) {
        final Set<PenstockListener> own = AnnotatedElementUtils.getMergedRepeatableAnnotations(
                element, PenstockListener.class, PenstockListeners.class);
        return own.isEmpty()
                ? AnnotatedElementUtils.findMergedRepeatableAnnotations(
                        element, PenstockListener.class, PenstockListeners.class)
                : own;
    }

    private static @Nullable Set<PenstockListener> listenersOrNull(final Method method) {
        final Set<PenstockListener> listeners = listeners(method);
        return listeners.isEmpty() ? null : listeners;
    }

    /** Proxies of what has a scope are not made before somebody needs them. */
    private void makeScopedProxies(final ListableBeanFactory beans) {
        for (final String name : beans.getBeanDefinitionNames()) {
            final Class<?> type = ScopedProxyUtils.isScopedTarget(name) ? beans.getType(name, false) : null;
            if (type != null && isListening(type)) {
                beans.getBean(ScopedProxyUtils.getOriginalBeanName(name));
            }
        }
    }

    /**
     * Whether beans of a class are called by listeners.
     *
     * @param type of the bean, without a proxy.
     * @return true with {@link PenstockListener} on the class or one of its methods.
     */
    public static boolean isListening(final Class<?> type) {
        return !listeners(type).isEmpty()
                || !MethodIntrospector.selectMethods(type, PenstockListenerAnnotationBeanPostProcessor::listenersOrNull)
                        .isEmpty();
    }

    @Override
    public void afterSingletonsInstantiated() {
        final ConfigurableBeanFactory beans = beanFactory();
        beans.getBeanProvider(PenstockListenerConfigurer.class)
                .orderedStream()
                .forEach(configurer -> configurer.configurePenstockListeners(registrar));
        if (beans instanceof ListableBeanFactory all) {
            makeScopedProxies(all);
        }
        if (registrar.getContainerFactory() == null && beans.containsBean(PenstockListenerContainerFactory.BEAN_NAME)) {
            registrar.setContainerFactory(
                    beans.getBean(PenstockListenerContainerFactory.BEAN_NAME, PenstockListenerContainerFactory.class));
        }
        final ObjectProvider<PenstockTemplate> template = beans.getBeanProvider(PenstockTemplate.class);
        if (registrar.getMessageConverter() == null) {
            registrar.setMessageConverter(PenstockAnnotationConfiguration.converter(beans));
        }
        if (registrar.getValidator() == null) {
            registrar.setValidator(PenstockAnnotationConfiguration.validator(beans));
        }
        final AnnotationTexts texts = new AnnotationTexts(beans);
        final HandlerMethods made =
                new HandlerMethods(template::getIfUnique, registrar, text -> texts.text("@SendTo", text));
        synchronized (found) {
            handlers = made;
            registerFound(made);
        }
    }

    private void registerFound(final HandlerMethods made) {
        final List<Found> all = List.copyOf(found);
        found.clear();
        for (final Found each : all) {
            register(each, made);
        }
        registrar.registerAll(beanFactory()
                .getBean(PenstockListenerEndpointRegistry.BEAN_NAME, PenstockListenerEndpointRegistry.class));
    }

    private void register(final Found each, final HandlerMethods methods) {
        final Class<?> type = AopProxyUtils.ultimateTargetClass(each.bean());
        final String description =
                each.method() == null ? type.getName() : each.method().toGenericString();
        try {
            final ListenerAttributes attributes = new ListenerAttributes(each.annotation(), beanFactory());
            final PenstockListenerContainerFactory own = attributes.containerFactory();
            final PenstockListenerContainerFactory factory = own == null ? registrar.getContainerFactory() : own;
            final Overrides overrides = attributes.overrides();
            final boolean isManual = isManual(overrides, factory);
            if (isManual && !canAcknowledge(each, type, attributes.isBatch())) {
                throw new ListenerAttributeException(
                        "ackMode",
                        "is MANUAL, and the method cannot acknowledge",
                        "add a parameter of type Acknowledgment");
            }
            final String id = id(attributes, each);
            final PenstockMessageListener listener = each.method() == null
                    ? methods.ofClass(each.bean(), type, attributes.isBatch(), of -> handlerMethods(of, each.bean()))
                    : methods.ofMethod(
                            each.bean(),
                            invocable(Objects.requireNonNull(each.method()), each.bean()),
                            attributes.isBatch());
            final PenstockListenerEndpoint endpoint =
                    new PenstockListenerEndpoint(id, description, attributes.subscription(), listener, overrides);
            for (final PenstockListenerEndpoint one : withRetries(endpoint, each, type, factory, !isManual)) {
                registrar.registerEndpoint(one, own);
            }
        } catch (final ListenerAttributeException e) {
            throw new ListenerStartException(description, "", String.valueOf(e.getMessage()), e);
        }
    }

    private static boolean isManual(
            final Overrides overrides, final @Nullable PenstockListenerContainerFactory factory) {
        final AckMode own = overrides.ackMode();
        return own != null
                ? own == AckMode.MANUAL
                : factory != null && factory.getSettings().getAckMode() == AckMode.MANUAL;
    }

    private static boolean canAcknowledge(final Found each, final Class<?> type, final boolean isBatch) {
        return each.method() != null
                ? canAcknowledge(each.method(), isBatch)
                : handlerMethods(type, each.bean()).stream().allMatch(one -> canAcknowledge(one.method(), false));
    }

    private static boolean canAcknowledge(final Method method, final boolean isBatch) {
        return Arrays.stream(method.getGenericParameterTypes())
                .map(ResolvableType::forType)
                .map(type -> isBatch && type.resolve() == List.class ? type.getGeneric(0) : type)
                .map(type -> type.resolve(Object.class))
                .anyMatch(type -> type == Acknowledgment.class || type == Delivery.class);
    }

    private List<PenstockListenerEndpoint> withRetries(
            final PenstockListenerEndpoint endpoint,
            final Found each,
            final Class<?> type,
            final @Nullable PenstockListenerContainerFactory factory,
            final boolean isAcknowledging) {
        final PenstockRetryTopic retries = AnnotatedElementUtils.findMergedAnnotation(
                each.method() == null ? type : each.method(), PenstockRetryTopic.class);
        if (retries == null) {
            return List.of(endpoint);
        }
        // Without a factory the endpoint is refused when it is registered.
        final PenstockConnection connection =
                factory == null ? beanFactory().getBean(PenstockConnection.class) : factory.getConnection();
        return new RetryEndpoints(retries, new AnnotationTexts(beanFactory()), connection, runId)
                .of(endpoint, isAcknowledging);
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
