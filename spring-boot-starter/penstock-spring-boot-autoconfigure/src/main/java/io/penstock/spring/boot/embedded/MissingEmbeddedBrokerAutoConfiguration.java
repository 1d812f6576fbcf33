package io.penstock.spring.boot.embedded;

import io.penstock.spring.boot.PenstockConfigurationException;
import io.penstock.spring.boot.PenstockProperties;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;

/** An embedded broker is asked for, and is not on the class path: the start fails, rather than looking for one elsewhere. */
@AutoConfiguration
@ConditionalOnMissingClass("io.penstock.broker.Broker")
@ConditionalOnProperty(prefix = PenstockProperties.PREFIX + ".embedded", name = "enabled")
public final class MissingEmbeddedBrokerAutoConfiguration {
    MissingEmbeddedBrokerAutoConfiguration() {
        throw new PenstockConfigurationException(
                PenstockProperties.PREFIX + ".embedded.enabled",
                "there is no broker on the class path (add the dependency io.penstock:penstock-broker-core)",
                null);
    }
}
