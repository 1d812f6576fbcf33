package io.penstock.spring.boot.health;

import io.penstock.broker.Broker;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.boot.ConnectionState;
import io.penstock.spring.boot.PenstockProperties;
import io.penstock.spring.boot.embedded.EmbeddedBroker;
import io.penstock.spring.endpoint.PenstockListenerEndpointRegistry;
import io.penstock.spring.state.StateMirrors;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Health by the names of Boot 3.5. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(name = "org.springframework.boot.actuate.health.HealthIndicator")
final class HealthOfBoot3 {
    private static Health health(final HealthReport report) {
        return (report.isUp() ? Health.up() : Health.down())
                .withDetails(report.details())
                .build();
    }

    @Bean
    @ConditionalOnBean({PenstockConnection.class, ConnectionState.class})
    @ConditionalOnMissingBean(name = "penstockHealthIndicator")
    @ConditionalOnEnabledHealthIndicator(ConnectionHealth.NAME)
    HealthIndicator penstockHealthIndicator(final PenstockConnection connection, final ConnectionState state) {
        final ConnectionHealth health = new ConnectionHealth(connection, state);
        return () -> health(health.report());
    }

    @Bean
    @ConditionalOnBean(PenstockListenerEndpointRegistry.class)
    @ConditionalOnMissingBean(name = "penstockListenersHealthIndicator")
    @ConditionalOnEnabledHealthIndicator(ListenerHealth.NAME)
    HealthIndicator penstockListenersHealthIndicator(final PenstockListenerEndpointRegistry registry) {
        final ListenerHealth health = new ListenerHealth(registry);
        return () -> health(health.report());
    }

    @Bean
    @ConditionalOnBean(StateMirrors.class)
    @ConditionalOnMissingBean(name = "penstockMirrorsHealthIndicator")
    @ConditionalOnEnabledHealthIndicator(MirrorHealth.NAME)
    HealthIndicator penstockMirrorsHealthIndicator(final ObjectProvider<StateMirrors> mirrors) {
        final MirrorHealth health = new MirrorHealth(mirrors::getIfAvailable);
        return () -> health(health.report());
    }

    @Bean
    @ConditionalOnBean(PenstockProperties.class)
    @ConditionalOnMissingBean
    ReadinessOfBoot3 penstockReadinessOfBoot3(final PenstockProperties properties, final Environment environment) {
        return new ReadinessOfBoot3(ReadinessMembers.of(properties, environment));
    }

    /** Of the broker's classes, which need not be there. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Broker.class)
    static class OfTheBroker {
        @Bean
        @ConditionalOnBean(EmbeddedBroker.class)
        @ConditionalOnMissingBean(name = "penstockBrokerHealthIndicator")
        @ConditionalOnEnabledHealthIndicator(BrokerHealth.NAME)
        HealthIndicator penstockBrokerHealthIndicator(final EmbeddedBroker broker) {
            final BrokerHealth health = new BrokerHealth(broker);
            return () -> health(health.report());
        }
    }
}
