package io.penstock.spring.boot.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.penstock.transport.RequiredFlags;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;

/** What a person reads when the application does not start. */
@ExtendWith(OutputCaptureExtension.class)
class FailureAnalyzersTest {
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class App {}

    private static @Nullable Throwable start(final String... properties) {
        final SpringApplication application = new SpringApplication(App.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        final String[] arguments = new String[properties.length];
        for (int i = 0; i < properties.length; i++) {
            arguments[i] = "--" + properties[i];
        }
        return catchThrowable(() -> application.run(arguments).close());
    }

    @Test
    void shouldSayWhereNobodyListensWhenABrokerIsDemanded(final CapturedOutput output) {
        assertThat(start("penstock.servers=inproc:nobody-is-there", "penstock.fail-fast=true"))
                .isNotNull();
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("nobody-is-there")
                .contains("set penstock.servers to where one is")
                .contains("With penstock.fail-fast=false");
    }

    @Test
    void shouldNameThePropertyWhenItsValueIsWrong(final CapturedOutput output) {
        assertThat(start("penstock.timeout.request=0s")).isNotNull();
        assertThat(output)
                .contains("penstock.timeout.request: out of range: 0")
                .contains("Change the property penstock.timeout.request.");
    }

    @Test
    void shouldNameThePortWhenAnEmbeddedBrokerFindsItTaken(final CapturedOutput output) throws Exception {
        try (java.net.ServerSocket taken = new java.net.ServerSocket(0)) {
            assertThat(start(
                            "penstock.embedded.enabled=true",
                            "penstock.embedded.listen=tcp://127.0.0.1:" + taken.getLocalPort()))
                    .isNotNull();
            assertThat(output)
                    .contains("penstock.embedded: the broker did not start")
                    .contains(String.valueOf(taken.getLocalPort()))
                    .contains("another process may use the port");
        }
    }

    @Test
    void shouldSayWhereToPutTheFlagWhenItIsMissing() {
        final IllegalStateException missing = new IllegalStateException(
                "java: started without a flag that Penstock needs: " + RequiredFlags.ADD_EXPORTS);
        final FailureAnalysis analysis =
                Objects.requireNonNull(new MissingFlagFailureAnalyzer().analyze(missing, missing));
        assertThat(analysis.getAction()).contains("spring-boot:run").contains(RequiredFlags.ADD_EXPORTS);
    }

    @Test
    void shouldLeaveItToOthersWhenItIsNoneOfOurs() {
        final IllegalStateException other = new IllegalStateException("something else");
        assertThat(new MissingFlagFailureAnalyzer().analyze(other, other)).isNull();
    }
}
