package io.penstock.spring.boot;

import io.penstock.client.ConnectionListener;
import io.penstock.client.CredentialsProvider;
import io.penstock.client.PenstockClient;
import io.penstock.spring.ClientConfigSource;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.boot.embedded.EmbeddedBrokerAutoConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;

/**
 * A client of a broker. The context starts without one: the client connects in the background, unless {@code
 * penstock.fail-fast} asks for a start that fails.
 */
@AutoConfiguration(after = EmbeddedBrokerAutoConfiguration.class)
@ConditionalOnClass(PenstockClient.class)
@EnableConfigurationProperties(PenstockProperties.class)
public final class PenstockAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean(PenstockConnectionDetails.class)
    PenstockConnectionDetails penstockConnectionDetails(final PenstockProperties properties) {
        return new PropertiesConnectionDetails(properties);
    }

    @Bean
    @ConditionalOnMissingBean
    ConnectionState penstockConnectionState(
            final ObjectProvider<ConnectionListener> listeners, final PenstockProperties properties) {
        return new ConnectionState(
                listeners.orderedStream().toList(),
                new NameRetreat(properties.reconnect().delayMax()));
    }

    @Bean
    @ConditionalOnMissingBean
    ClientConfigSource penstockClientConfigSource(
            final PenstockProperties properties,
            final PenstockConnectionDetails details,
            final ConnectionState state,
            final ObjectProvider<ClientConfigCustomizer> customizers,
            final ObjectProvider<SslBundles> bundles,
            final ObjectProvider<CredentialsProvider> credentials) {
        return new ConfiguredClient(
                properties,
                details,
                ClientAccess.of(properties, details, bundles.getIfUnique(), credentials.getIfUnique()),
                state,
                customizers.orderedStream().toList());
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    PenstockConnection penstockConnection(final ClientConfigSource configs, final PenstockProperties properties) {
        final PenstockConnection connection = new PenstockConnection(configs);
        connection.setFlushTimeout(properties.timeout().close());
        return connection;
    }

    @Bean
    ConnectionKeeper penstockConnectionKeeper(
            final PenstockConnection connection, final ConnectionState state, final PenstockProperties properties) {
        return new ConnectionKeeper(connection, state, properties);
    }
}
