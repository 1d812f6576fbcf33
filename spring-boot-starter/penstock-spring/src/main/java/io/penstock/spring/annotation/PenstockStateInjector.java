package io.penstock.spring.annotation;

import io.penstock.spring.listener.ListenerAttributeException;
import io.penstock.spring.listener.ListenerStartException;
import io.penstock.spring.state.MirrorRequest;
import io.penstock.spring.state.PenstockStateMap;
import io.penstock.spring.state.StateMirrors;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.PropertyValues;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.DependencyDescriptor;
import org.springframework.beans.factory.config.InstantiationAwareBeanPostProcessor;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.annotation.ContextAnnotationAutowireCandidateResolver;
import org.springframework.core.ResolvableType;
import org.springframework.util.ReflectionUtils;

/**
 * Gives mirrors to fields and parameters with {@link PenstockState}. Used by the context, on whatever thread makes beans.
 */
public final class PenstockStateInjector implements BeanFactoryPostProcessor, InstantiationAwareBeanPostProcessor {
    private @Nullable ConfigurableListableBeanFactory beanFactory;

    @Override
    public void postProcessBeanFactory(final ConfigurableListableBeanFactory factory) {
        beanFactory = factory;
        if (factory instanceof DefaultListableBeanFactory listable) {
            listable.setAutowireCandidateResolver(new Resolver());
        }
    }

    /** Finds parameters, and fields that are autowired, too. */
    private final class Resolver extends ContextAnnotationAutowireCandidateResolver {
        @Override
        public @Nullable Object getSuggestedValue(final DependencyDescriptor descriptor) {
            final PenstockState annotation = descriptor.getAnnotation(PenstockState.class);
            return annotation == null
                    ? super.getSuggestedValue(descriptor)
                    : map(annotation, descriptor.getResolvableType(), descriptor.toString());
        }
    }

    @Override
    public PropertyValues postProcessProperties(final PropertyValues values, final Object bean, final String beanName) {
        ReflectionUtils.doWithFields(
                bean.getClass(), field -> inject(bean, field), field -> field.isAnnotationPresent(PenstockState.class));
        return values;
    }

    private void inject(final Object bean, final Field field) {
        final String description = field.toGenericString();
        if (Modifier.isStatic(field.getModifiers()) || Modifier.isFinal(field.getModifiers())) {
            throw new ListenerStartException(
                    description,
                    "",
                    "a mirror cannot be put into a static or final field (take it as a parameter of the constructor)",
                    null);
        }
        ReflectionUtils.makeAccessible(field);
        ReflectionUtils.setField(
                field,
                bean,
                map(
                        field.getAnnotation(PenstockState.class),
                        ResolvableType.forField(field, bean.getClass()),
                        description));
    }

    private PenstockStateMap<?, ?> map(
            final PenstockState annotation, final ResolvableType type, final String description) {
        final Class<?> raw = type.resolve(Object.class);
        if (raw != Map.class && raw != PenstockStateMap.class) {
            throw new ListenerStartException(
                    description, "", "a mirror is no " + raw.getName() + " (use a Map, or a PenstockStateMap)", null);
        }
        for (final ResolvableType argument : type.getGeneric(1).getGenerics()) {
            final Class<?> known = argument.resolve(Object.class);
            if (known != Object.class && known != String.class) {
                throw new ListenerStartException(
                        description,
                        "",
                        "a mirror's values cannot be of the type " + type.getGeneric(1)
                                + " (use a class without type arguments)",
                        null);
            }
        }
        final ConfigurableListableBeanFactory beans = Objects.requireNonNull(beanFactory, "set by the context");
        final AnnotationTexts texts = new AnnotationTexts(beans);
        try {
            final Long limit = texts.number("limit", annotation.limit());
            final MirrorRequest request = new MirrorRequest(
                    texts.text("topic", annotation.topic()),
                    texts.text("filter", annotation.filter()),
                    texts.text("select", annotation.select()),
                    type.getGeneric(0).resolve(String.class),
                    type.getGeneric(1).resolve(Map.class),
                    texts.duration("timeout", annotation.timeout(), MirrorRequest.TIMEOUT_DEFAULT),
                    limit == null
                            ? MirrorRequest.LIMIT_DEFAULT
                            : (int) Math.max(0, Math.min(Integer.MAX_VALUE, limit)));
            return beans.getBean(StateMirrors.class).mirror(request, description);
        } catch (final ListenerAttributeException e) {
            throw new ListenerStartException(description, "", String.valueOf(e.getMessage()), e);
        }
    }
}
