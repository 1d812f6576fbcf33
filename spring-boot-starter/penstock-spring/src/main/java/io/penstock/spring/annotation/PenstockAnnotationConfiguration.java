package io.penstock.spring.annotation;

import io.penstock.spring.PenstockConnection;
import io.penstock.spring.convert.PenstockConverters;
import io.penstock.spring.endpoint.PenstockListenerEndpointRegistry;
import io.penstock.spring.state.StateMirrors;
import io.penstock.spring.template.PenstockTemplate;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;

/** The beans that {@link EnablePenstock} brings. */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public class PenstockAnnotationConfiguration {
    /** The name of the bean that finds listeners. */
    public static final String LISTENER_PROCESSOR = "penstockListenerAnnotationProcessor";

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
    public static StateMirrors penstockStateMirrors(
            final PenstockConnection connection, final ObjectProvider<PenstockTemplate> template) {
        final PenstockTemplate known = template.getIfUnique();
        return new StateMirrors(
                connection, known == null ? PenstockConverters.defaults() : known.getMessageConverter());
    }
}
