package io.penstock.spring.boot.messaging;

import io.micrometer.observation.ObservationRegistry;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.annotation.EnablePenstock;
import io.penstock.spring.annotation.PenstockAnnotationConfiguration;
import io.penstock.spring.annotation.PenstockListenerAnnotationBeanPostProcessor;
import io.penstock.spring.boot.PenstockAutoConfiguration;
import io.penstock.spring.boot.PenstockConfigurationException;
import io.penstock.spring.boot.PenstockProperties;
import io.penstock.spring.convert.PenstockConverters;
import io.penstock.spring.endpoint.PenstockListenerContainerFactory;
import io.penstock.spring.listener.ContainerSettings;
import io.penstock.spring.listener.ListenerAttributeException;
import io.penstock.spring.listener.PenstockErrorHandler;
import io.penstock.spring.observation.PenstockProcessConvention;
import io.penstock.spring.observation.PenstockReceiveConvention;
import io.penstock.spring.observation.PenstockSendConvention;
import io.penstock.spring.template.PenstockTemplate;
import java.time.Duration;
import java.util.List;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.messaging.converter.MessageConverter;
import org.springframework.util.backoff.ExponentialBackOff;

/** A template, and what listeners and mirrors need. Observed where the application has a registry of observations. */
@AutoConfiguration(
        after = PenstockAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration",
            "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
        })
@ConditionalOnBean(PenstockConnection.class)
@EnableConfigurationProperties(PenstockProperties.class)
public final class PenstockMessagingAutoConfiguration {
    /** The name of the converter of payloads, for an application that brings its own. */
    public static final String CONVERTER = PenstockConverters.BEAN_NAME;

    private static final String PREFIX = PenstockProperties.PREFIX + ".";

    private final PenstockProperties properties;

    PenstockMessagingAutoConfiguration(final PenstockProperties properties) {
        this.properties = properties;
    }

    @Bean(CONVERTER)
    @ConditionalOnMissingBean(name = CONVERTER)
    MessageConverter penstockMessageConverter(final BeanFactory beans) {
        return JsonConverters.of(beans);
    }

    @Bean
    @ConditionalOnMissingBean
    PenstockTemplate penstockTemplate(
            final PenstockConnection connection,
            final BeanFactory beans,
            final ObjectProvider<ObservationRegistry> registry,
            final ObjectProvider<PenstockSendConvention> convention,
            final ObjectProvider<PenstockTemplateCustomizer> customizers) {
        final PenstockProperties.Template settings = properties.template();
        final PenstockTemplate template =
                new PenstockTemplate(connection, beans.getBean(CONVERTER, MessageConverter.class));
        if (!settings.defaultTopic().isEmpty()) {
            template.setDefaultTopic(settings.defaultTopic());
        }
        template.setAckType(settings.acknowledgement().ackType());
        if (settings.requestTimeout().isNegative() || settings.requestTimeout().isZero()) {
            throw new PenstockConfigurationException(
                    PREFIX + "template.request-timeout",
                    "is not positive: " + settings.requestTimeout() + " (use for example 10s)",
                    null);
        }
        template.setRequestTimeout(settings.requestTimeout());
        template.setTransactionSynchronized(settings.transactionSynchronized());
        if (settings.observationEnabled()) {
            registry.ifUnique(template::setObservationRegistry);
            convention.ifUnique(template::setObservationConvention);
        }
        customizers.orderedStream().forEach(each -> each.customize(template));
        return template;
    }

    @Bean(PenstockListenerContainerFactory.BEAN_NAME)
    @ConditionalOnMissingBean(name = PenstockListenerContainerFactory.BEAN_NAME)
    PenstockListenerContainerFactory penstockListenerContainerFactory(
            final PenstockConnection connection,
            final ObjectProvider<ObservationRegistry> registry,
            final ObjectProvider<PenstockReceiveConvention> receiving,
            final ObjectProvider<PenstockProcessConvention> processing,
            final ObjectProvider<PenstockErrorHandler> errorHandler,
            final ListableBeanFactory beans,
            final ObjectProvider<ContainerFactoryCustomizer> customizers) {
        final PenstockListenerContainerFactory factory = new PenstockListenerContainerFactory(connection);
        final ContainerSettings settings = factory.getSettings();
        addProperties(settings);
        errorHandler.ifUnique(settings::setErrorHandler);
        factory.setErrorHandlerNames(List.of(beans.getBeanNamesForType(PenstockErrorHandler.class, true, false)));
        if (properties.listener().observationEnabled()) {
            registry.ifUnique(settings::setObservationRegistry);
            receiving.ifUnique(settings::setReceiveConvention);
            processing.ifUnique(settings::setProcessConvention);
        }
        customizers.orderedStream().forEach(each -> each.customize(factory));
        return factory;
    }

    private void addProperties(final ContainerSettings settings) {
        final PenstockProperties.Listener listener = properties.listener();
        settings.setAutoStartup(listener.autoStartup());
        try {
            settings.setConcurrency(listener.concurrency());
            settings.setBatchSize(listener.batchSize());
        } catch (final ListenerAttributeException e) {
            throw wrong("listener." + (e.attribute().equals("batchSize") ? "batch-size" : e.attribute()), e);
        }
        settings.setAckMode(listener.ackMode());
        settings.setShutdownTimeout(notNegative("listener.shutdown-timeout", listener.shutdownTimeout()));
        settings.setIdleEventInterval(notNegative("listener.idle-event-interval", listener.idleEventInterval()));
        final ExponentialBackOff recovery = new ExponentialBackOff(
                Math.max(1, properties.reconnect().delayMin().toMillis()), 2);
        recovery.setMaxInterval(Math.max(1, properties.reconnect().delayMax().toMillis()));
        settings.setRecoveryBackOff(recovery);
    }

    private static Duration notNegative(final String key, final Duration value) {
        if (value.isNegative()) {
            throw new PenstockConfigurationException(PREFIX + key, "is negative: " + value + " (use 0 or more)", null);
        }
        return value;
    }

    /** The message begins with the name of the attribute, and a colon. */
    private static PenstockConfigurationException wrong(final String key, final ListenerAttributeException cause) {
        final String message = String.valueOf(cause.getMessage());
        return new PenstockConfigurationException(PREFIX + key, message.substring(message.indexOf(": ") + 2), cause);
    }

    /** Beans with listeners are made with the context, also where others are made when they are first used. */
    @Bean
    static LazyInitializationExcludeFilter penstockListenersAreNotLazy() {
        return (name, definition, type) -> PenstockListenerAnnotationBeanPostProcessor.isListening(type);
    }

    /** What finds listeners and mirrors, unless the application has asked for it itself. */
    @Configuration(proxyBeanMethods = false)
    @EnablePenstock
    @ConditionalOnMissingBean(name = PenstockAnnotationConfiguration.LISTENER_PROCESSOR)
    static class Annotations {}
}
