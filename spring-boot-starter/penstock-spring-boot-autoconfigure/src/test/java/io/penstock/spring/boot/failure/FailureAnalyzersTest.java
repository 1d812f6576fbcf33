package io.penstock.spring.boot.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.spring.annotation.PenstockState;
import io.penstock.spring.listener.ListenerStartException;
import io.penstock.transport.RequiredFlags;
import java.util.Map;
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

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Mirroring {
        @PenstockState(topic = "prices", timeout = "100ms")
        @Nullable
        Map<String, Map<String, Object>> prices;
    }

    private static @Nullable Throwable start(final String... properties) {
        return start(App.class, properties);
    }

    private static @Nullable Throwable start(final Class<?> app, final String... properties) {
        final SpringApplication application = new SpringApplication(app);
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
    void shouldNameTheFieldWhenAMirrorFindsNoBroker(final CapturedOutput output) {
        assertThat(start(Mirroring.class, "penstock.servers=inproc:nobody-is-there"))
                .isNotNull();
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("Mirroring.prices")
                .contains("nobody-is-there")
                .contains("also with penstock.fail-fast=false")
                .doesNotContain("starts without a broker");
    }

    @Test
    void shouldNameUserAndPasswordWhenTheBrokerDoesNotKnowThem(final CapturedOutput output) {
        try (Broker broker = Broker.launch(
                BrokerConfig.builder().listen("inproc:failure-analyzers").build())) {
            assertThat(broker.endpoints()).isNotEmpty();
            assertThat(start(
                            "penstock.servers=inproc:failure-analyzers",
                            "penstock.user=nobody",
                            "penstock.fail-fast=true"))
                    .isNotNull();
            assertThat(output)
                    .contains("Set penstock.user and penstock.password")
                    .doesNotContain("Start a broker there");
        }
    }

    @Test
    void shouldSayTheRemedyWhenAListenerCannotStart() {
        final ListenerStartException failure = new ListenerStartException(
                "Desk.onOrder(Order)",
                "",
                "method: takes a payload that no converter makes: Order (add jackson-databind to the class path (or"
                        + " another), or register a MessageConverter)",
                null);
        assertThat(action(failure))
                .isEqualTo("For Desk.onOrder(Order): add jackson-databind to the class path (or another), or register a"
                        + " MessageConverter.");
        assertThat(action(new ListenerStartException("Desk.onOrder(Order)", "filter", "is wrong: x >", null)))
                .isEqualTo("Change the attribute 'filter' of Desk.onOrder(Order).");
    }

    private static String action(final ListenerStartException failure) {
        return Objects.requireNonNull(new ListenerFailureAnalyzer().analyze(failure, failure))
                .getAction();
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
