package io.penstock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.spring.boot.embedded.EmbeddedBrokerAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What is wrong with a property is said when the application starts, by its key. */
class BadPropertyTest {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(EmbeddedBrokerAutoConfiguration.class, PenstockAutoConfiguration.class));

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            penstock.servers=                                   | penstock.servers: names none (use for example tcp://127.0.0.1:9100)
            penstock.servers=not a uri                          | penstock.servers: not a URI: not a uri
            penstock.servers=tcp://127.0.0.1:1,inproc:a         | penstock.servers: of different schemes
            penstock.servers=localhost:9100                     | penstock.servers: no transport for its scheme: localhost:9100 (use tcp://localhost:9100)
            penstock.servers=http://desk:9100                   | penstock.servers: no transport for its scheme: http://desk:9100 (use tcp://desk:9100)
            penstock.servers=127.0.0.1:9100                     | penstock.servers: not a URI: 127.0.0.1:9100
            penstock.servers=penstock                           | penstock.servers: no transport for its scheme: penstock (use for example tcp://127.0.0.1:9100)
            penstock.timeout.request=0s                         | penstock.timeout.request: out of range: 0
            penstock.heartbeat-interval=2h                      | penstock.heartbeat-interval: out of range: 7200000
            penstock.message-length-max=4GB                     | penstock.message-length-max: too large: 4294967296B (use 1GB or less)
            penstock.reconnect.delay-max=1ms                    | penstock.reconnect.delay-max: out of range: 1000000
            penstock.publish-store.kind=memory                  | penstock.name: is empty (name a client that has a publish store
            penstock.bookmark-store.kind=file                   | penstock.bookmark-store.path: missing for a store of kind file
            """)
    void shouldNameThePropertyWhenItsValueIsWrong(final String property, final String message) {
        runner.withPropertyValues("penstock.embedded.enabled=false", property)
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining(message));
    }

    @Test
    void shouldRefuseTheKeyWhenThereIsNoneOfItsName() {
        runner.withPropertyValues("penstock.sever=inproc:a")
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("penstock.sever"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            penstock.embedded.config.window.segmentCont=2       | penstock.embedded.config.window.segmentCont: window.segmentCont: no such key
            penstock.embedded.config.window.segment-count=many  | penstock.embedded.config.window.segmentCount: window.segmentCount: not a whole number: many
            penstock.embedded.config.listen=tcp://127.0.0.1:1   | penstock.embedded.config.listen: has a property of its own (use penstock.embedded.listen)
            penstock.embedded.listen=nowhere:1                  | penstock.embedded.listen: no transport for its scheme: nowhere:1
            penstock.embedded.listen=tcp://0.0.0.0:0            | penstock.embedded.listen: other machines can reach tcp://0.0.0.0:0
            penstock.embedded.listen=tcp://0.0.0.0:0            | penstock.embedded.config.security.allow-insecure-listen
            penstock.embedded.drain-timeout=-1s                 | penstock.embedded.drain-timeout: is negative: PT-1S
            """)
    void shouldNameTheKeyOfTheBrokerWhenItsValueIsWrong(final String property, final String message) {
        runner.withPropertyValues("penstock.embedded.enabled=true", property)
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining(message));
    }
}
