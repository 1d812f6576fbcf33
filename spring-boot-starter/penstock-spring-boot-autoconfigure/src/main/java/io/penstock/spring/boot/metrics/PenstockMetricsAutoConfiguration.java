package io.penstock.spring.boot.metrics;

import io.micrometer.core.instrument.binder.MeterBinder;
import io.penstock.broker.Broker;
import io.penstock.client.PenstockClient;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.boot.ConnectionState;
import io.penstock.spring.boot.PenstockAutoConfiguration;
import io.penstock.spring.boot.embedded.EmbeddedBroker;
import io.penstock.spring.boot.embedded.EmbeddedBrokerAutoConfiguration;
import io.penstock.spring.boot.messaging.PenstockMessagingAutoConfiguration;
import io.penstock.spring.endpoint.PenstockListenerEndpointRegistry;
import io.penstock.spring.state.StateMirrors;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Meters, where Micrometer is on the class path. A registry takes them on by itself. */
@AutoConfiguration(
        after = {
            PenstockAutoConfiguration.class,
            EmbeddedBrokerAutoConfiguration.class,
            PenstockMessagingAutoConfiguration.class
        })
@ConditionalOnClass({MeterBinder.class, PenstockClient.class})
public final class PenstockMetricsAutoConfiguration {
    @Bean
    @ConditionalOnBean({PenstockConnection.class, ConnectionState.class})
    @ConditionalOnMissingBean
    ClientMeters penstockClientMeters(final PenstockConnection connection, final ConnectionState state) {
        return new ClientMeters(connection, state);
    }

    @Bean
    @ConditionalOnBean(PenstockListenerEndpointRegistry.class)
    @ConditionalOnMissingBean
    ListenerMeters penstockListenerMeters(final PenstockListenerEndpointRegistry registry) {
        return new ListenerMeters(registry);
    }

    @Bean
    @ConditionalOnBean(StateMirrors.class)
    @ConditionalOnMissingBean
    MirrorMeters penstockMirrorMeters(final ObjectProvider<StateMirrors> mirrors) {
        return new MirrorMeters(mirrors::getIfAvailable);
    }

    /** Of the broker's classes, which need not be there. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Broker.class)
    static class OfTheBroker {
        @Bean
        @ConditionalOnBean(EmbeddedBroker.class)
        @ConditionalOnMissingBean
        BrokerMeters penstockBrokerMeters(final EmbeddedBroker broker) {
            return new BrokerMeters(broker);
        }
    }
}
