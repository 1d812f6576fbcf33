package io.penstock.spring.annotation;

import io.penstock.spring.PenstockConnection;
import io.penstock.spring.convert.PenstockConverters;
import io.penstock.spring.endpoint.PenstockListenerEndpointRegistry;
import io.penstock.spring.state.StateMirrors;
import io.penstock.spring.template.PenstockTemplate;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;
import org.springframework.messaging.converter.MessageConverter;
import org.springframework.util.ClassUtils;
import org.springframework.validation.Validator;

/** The beans that {@link EnablePenstock} brings. */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public class PenstockAnnotationConfiguration {
    /** The name of the bean that finds listeners. */
    public static final String LISTENER_PROCESSOR = "penstockListenerAnnotationProcessor";

    /** The name of a bean that checks payloads, for a program that has no validator of Jakarta, or several. */
    public static final String VALIDATOR = "penstockValidator";

    private static final String JAKARTA_VALIDATOR = "jakarta.validation.Validator";

    /** What finds listeners on beans. */
    @Bean(LISTENER_PROCESSOR)
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    public static PenstockListenerAnnotationBeanPostProcessor penstockListenerAnnotationProcessor() {
        return new PenstockListenerAnnotationBeanPostProcessor();
    }

    /** The containers of all listeners. */
    @Bean(PenstockListenerEndpointRegistry.BEAN_NAME)
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    public static PenstockListenerEndpointRegistry penstockListenerEndpointRegistry() {
        return new PenstockListenerEndpointRegistry();
    }

    /** What injects mirrors. */
    @Bean("penstockStateInjector")
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    public static PenstockStateInjector penstockStateInjector() {
        return new PenstockStateInjector();
    }

    /** The mirrors. */
    @Bean(StateMirrors.BEAN_NAME)
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @Lazy
    public static StateMirrors penstockStateMirrors(final PenstockConnection connection, final BeanFactory beans) {
        return new StateMirrors(connection, converter(beans));
    }

    /** That of the only template; with several, the bean of its name; or else the default. */
    static MessageConverter converter(final BeanFactory beans) {
        final PenstockTemplate only =
                beans.getBeanProvider(PenstockTemplate.class).getIfUnique();
        if (only != null) {
            return only.getMessageConverter();
        }
        return beans.containsBean(PenstockConverters.BEAN_NAME)
                ? beans.getBean(PenstockConverters.BEAN_NAME, MessageConverter.class)
                : PenstockConverters.defaults();
    }

    /** The bean of its name, or else the only one that is a validator of Jakarta, such as Boot's. */
    static @Nullable Validator validator(final BeanFactory beans) {
        if (beans.containsBean(VALIDATOR)) {
            return beans.getBean(VALIDATOR, Validator.class);
        }
        final ClassLoader loader = PenstockAnnotationConfiguration.class.getClassLoader();
        return ClassUtils.isPresent(JAKARTA_VALIDATOR, loader)
                        && beans.getBeanProvider(ClassUtils.resolveClassName(JAKARTA_VALIDATOR, loader))
                                        .getIfUnique()
                                instanceof Validator only
                ? only
                : null;
    }
}
