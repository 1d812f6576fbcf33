package io.penstock.spring.boot.health;

import io.penstock.client.PenstockClient;
import io.penstock.spring.boot.PenstockAutoConfiguration;
import io.penstock.spring.boot.embedded.EmbeddedBrokerAutoConfiguration;
import io.penstock.spring.boot.messaging.PenstockMessagingAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Import;

/** Health, where Boot's actuator is on the class path: after what makes the group readiness, in either Boot. */
@AutoConfiguration(
        after = {
            PenstockAutoConfiguration.class,
            EmbeddedBrokerAutoConfiguration.class,
            PenstockMessagingAutoConfiguration.class
        },
        afterName = {
            "org.springframework.boot.actuate.autoconfigure.availability.AvailabilityProbesAutoConfiguration",
            "org.springframework.boot.health.autoconfigure.actuate.endpoint.AvailabilityProbesAutoConfiguration"
        })
@ConditionalOnClass(PenstockClient.class)
@Import({HealthOfBoot3.class, HealthOfBoot4.class})
public final class PenstockHealthAutoConfiguration {}
