package io.penstock.spring.boot.messaging;

import io.micrometer.observation.ObservationRegistry;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.annotation.EnablePenstock;
import io.penstock.spring.annotation.PenstockAnnotationConfiguration;
import io.penstock.spring.boot.PenstockAutoConfiguration;
import io.penstock.spring.boot.PenstockProperties;
import io.penstock.spring.endpoint.PenstockListenerContainerFactory;
import io.penstock.spring.listener.ContainerSettings;
import io.penstock.spring.listener.PenstockErrorHandler;
import io.penstock.spring.observation.PenstockProcessConvention;
import io.penstock.spring.observation.PenstockReceiveConvention;
import io.penstock.spring.observation.PenstockSendConvention;
import io.penstock.spring.template.PenstockTemplate;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
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
public final class PenstockMessagingAutoConfiguration {
    /** The name of the converter of payloads, for an application that brings its own. */
    public static final String CONVERTER = "penstockMessageConverter";

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
            final ObjectProvider<ContainerFactoryCustomizer> customizers) {
        final PenstockListenerContainerFactory factory = new PenstockListenerContainerFactory(connection);
        final ContainerSettings settings = factory.getSettings();
        addProperties(settings);
        errorHandler.ifUnique(settings::setErrorHandler);
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
        settings.setConcurrency(listener.concurrency());
        settings.setBatchSize(listener.batchSize());
        settings.setAckMode(listener.ackMode());
        settings.setShutdownTimeout(listener.shutdownTimeout());
        settings.setIdleEventInterval(listener.idleEventInterval());
        final ExponentialBackOff recovery = new ExponentialBackOff(
                Math.max(1, properties.reconnect().delayMin().toMillis()), 2);
        recovery.setMaxInterval(Math.max(1, properties.reconnect().delayMax().toMillis()));
        settings.setRecoveryBackOff(recovery);
    }

    /** What finds listeners and mirrors, unless the application has asked for it itself. */
    @Configuration(proxyBeanMethods = false)
    @EnablePenstock
    @ConditionalOnMissingBean(name = PenstockAnnotationConfiguration.LISTENER_PROCESSOR)
    static class Annotations {}
}
