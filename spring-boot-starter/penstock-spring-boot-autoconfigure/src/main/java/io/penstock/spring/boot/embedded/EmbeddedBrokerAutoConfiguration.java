package io.penstock.spring.boot.embedded;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.spring.boot.PenstockConnectionDetails;
import io.penstock.spring.boot.PenstockProperties;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;

/** A broker in the process of the application, if {@code penstock.embedded.enabled} asks for it. */
@AutoConfiguration
@ConditionalOnClass(Broker.class)
@ConditionalOnProperty(prefix = PenstockProperties.PREFIX + ".embedded", name = "enabled")
@EnableConfigurationProperties(PenstockProperties.class)
public final class EmbeddedBrokerAutoConfiguration {
    private static final AtomicInteger NEXT = new AtomicInteger(1);

    /** Contexts in one process need names of their own. */
    private static String endpoint(final PenstockProperties.Embedded properties) {
        return "inproc:" + (properties.name().isEmpty() ? "embedded-" + NEXT.getAndIncrement() : properties.name());
    }

    @Bean
    EmbeddedTls penstockEmbeddedTls(final PenstockProperties properties, final ObjectProvider<SslBundles> bundles) {
        return new EmbeddedTls(properties.embedded(), bundles.getIfUnique());
    }

    @Bean
    @ConditionalOnMissingBean
    BrokerConfig penstockBrokerConfig(
            final PenstockProperties properties,
            final EmbeddedTls tls,
            final ObjectProvider<BrokerConfigCustomizer> customizers) {
        return EmbeddedConfig.config(
                properties.embedded(),
                endpoint(properties.embedded()),
                tls,
                customizers.orderedStream().toList());
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    EmbeddedBroker penstockEmbeddedBroker(
            final BrokerConfig config, final PenstockProperties properties, final EmbeddedTls tls) {
        final EmbeddedBroker broker = new EmbeddedBroker(config, EmbeddedConfig.drainTimeout(properties.embedded()));
        tls.reloadOnUpdate(broker);
        return broker;
    }

    @Bean
    @ConditionalOnMissingBean(PenstockConnectionDetails.class)
    PenstockConnectionDetails penstockEmbeddedConnectionDetails(
            final EmbeddedBroker broker, final PenstockProperties properties) {
        return new EmbeddedConnectionDetails(broker, properties);
    }
}
