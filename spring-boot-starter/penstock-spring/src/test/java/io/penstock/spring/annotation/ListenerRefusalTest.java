package io.penstock.spring.annotation;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.client.PenstockClient;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.TestBroker;
import io.penstock.spring.TestContext;
import io.penstock.spring.convert.PenstockConverters;
import io.penstock.spring.endpoint.PenstockListenerConfigurer;
import io.penstock.spring.endpoint.PenstockListenerContainerFactory;
import io.penstock.spring.listener.AckMode;
import io.penstock.spring.listener.Acknowledgment;
import io.penstock.spring.listener.ListenerStartException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;

/** What is wrong keeps the context from starting, and is named with the method, the attribute and the remedy. */
class ListenerRefusalTest {
    private final TestBroker broker = TestBroker.inproc();

    /** A payload. */
    record Quote(int id, double price) {}

    @AfterEach
    void close() {
        broker.close();
    }

    private void assertRefused(final Class<?> component, final String... parts) {
        assertThatThrownBy(() -> TestContext.start(broker.clients(), component).close())
                .satisfies(thrown -> assertNames(startException(thrown), component, parts));
    }

    private static Throwable startException(final Throwable thrown) {
        Throwable each = thrown;
        while (each != null && !(each instanceof ListenerStartException)) {
            each = each.getCause();
        }
        if (each == null) {
            throw new AssertionError("no ListenerStartException", thrown);
        }
        return each;
    }

    private static void assertNames(final Throwable cause, final Class<?> component, final String... parts) {
        if (!(cause instanceof ListenerStartException)) {
            throw new AssertionError("no ListenerStartException", cause);
        }
        final String message = String.valueOf(cause.getMessage());
        for (final String part : parts) {
            if (!message.contains(part)) {
                throw new AssertionError("'" + part + "' is not in: " + message);
            }
        }
        if (!message.contains(component.getName())) {
            throw new AssertionError("the method is not in: " + message);
        }
    }

    static class BadFilter {
        @PenstockListener(topic = "orders", filter = "price >")
        void on(final String text) {}
    }

    @Test
    void shouldNameTheFilterWhenTheBrokerCannotParseIt() {
        assertRefused(BadFilter.class, "BadFilter.on(java.lang.String)", "filter: ");
    }

    static class BadPattern {
        @PenstockListener(pattern = "(")
        void on(final String text) {}
    }

    @Test
    void shouldNameThePatternWhenItIsNone() {
        assertRefused(BadPattern.class, "BadPattern.on(", "pattern: ");
    }

    static class NoTopic {
        @PenstockListener
        void on(final String text) {}
    }

    @Test
    void shouldNameTheTopicWhenThereIsNone() {
        assertRefused(NoTopic.class, "topic: is empty", "name one");
    }

    static class NoState {
        @PenstockListener(topic = "orders", sow = true)
        void on(final String text) {}
    }

    static class Conflated {
        @PenstockListener(topic = "orders", conflation = "100ms")
        void on(final String text) {}
    }

    @Test
    void shouldNameTheAttributeWhenTheTopicHasNoState() {
        try (PenstockClient client = broker.client()) {
            client.publish("orders", "{}");
            client.flush();
        }
        assertRefused(NoState.class, "sow: ", "orders");
        assertRefused(Conflated.class, ": conflation: ", "orders");
    }

    static class StateAndLog {
        @PenstockListener(topic = "quotes", sow = true, durable = "mine")
        void on(final String text) {}
    }

    @Test
    void shouldNameBothAttributesWhenTheyDoNotGoTogether() {
        assertRefused(StateAndLog.class, "durable: does not go with sow");
    }

    static class NoStore {
        @PenstockListener(topic = "quotes", durable = "mine")
        void on(final String text) {}
    }

    @Test
    void shouldNameTheStoreWhenADurableListenerHasNone() {
        assertRefused(NoStore.class, "durable", "ookmark store");
    }

    static class NoPlaceholder {
        @PenstockListener(topic = "${no.such.topic}")
        void on(final String text) {}
    }

    @Test
    void shouldNameThePlaceholderWhenItIsNotDefined() {
        assertRefused(NoPlaceholder.class, "topic: cannot be resolved: ${no.such.topic}");
    }

    static class NoNumber {
        @PenstockListener(topic = "orders", concurrency = "many")
        void on(final String text) {}
    }

    @Test
    void shouldNameTheValueWhenItIsNoNumber() {
        assertRefused(NoNumber.class, "concurrency: is no integer: many", "use one such as 4");
    }

    static class NoThreads {
        @PenstockListener(topic = "orders", concurrency = "0")
        void on(final String text) {}
    }

    @Test
    void shouldNameTheRangeWhenANumberIsOutside() {
        assertRefused(NoThreads.class, "concurrency: out of range: 0", "use 1 to 256");
    }

    static class NoHandler {
        @PenstockListener(topic = "orders", errorHandler = "nobody")
        void on(final String text) {}
    }

    @Test
    void shouldNameTheBeanWhenThereIsNone() {
        assertRefused(NoHandler.class, "errorHandler: is no bean: nobody");
    }

    static class NoPlace {
        @PenstockListener(topic = "orders", from = "yesterday")
        void on(final String text) {}
    }

    @Test
    void shouldNameThePlacesWhenItIsNone() {
        assertRefused(NoPlace.class, "from: is no place in the log: yesterday", "beginning");
    }

    static class TwoPayloads {
        @PenstockListener(topic = "orders")
        void on(final String text, final byte[] bytes) {}
    }

    @Test
    void shouldNameTheParametersWhenTwoWantThePayload() {
        assertRefused(TwoPayloads.class, "method: has two parameters for the payload");
    }

    static class NoList {
        @PenstockListener(topic = "orders", batch = true)
        void on(final String text, final Acknowledgment acknowledgment) {}
    }

    @Test
    void shouldNameTheParameterWhenABatchIsNoList() {
        assertRefused(NoList.class, "batch: ", "take one list");
    }

    static class NoConverter {
        @Bean
        static PenstockListenerConfigurer configurer() {
            return registrar -> registrar.setMessageConverter(PenstockConverters.of());
        }

        @PenstockListener(topic = "orders")
        void on(final Quote quote) {}
    }

    @Test
    void shouldNameTheTypeWhenNoConverterMakesIt() {
        assertRefused(NoConverter.class, Quote.class.getName(), "jackson-databind");
    }

    static class NoHandlers {
        @PenstockListener(topic = "orders", batch = true)
        void on(final List<Quote> quotes, final List<Quote> others) {}
    }

    @Test
    void shouldNameTheListWhenThereAreTwo() {
        assertRefused(NoHandlers.class, "batch: does not go with the parameter");
    }

    static class SameIds {
        @PenstockListener(id = "one", topic = "orders")
        void on(final String text) {}

        @PenstockListener(id = "one", topic = "orders")
        void onOther(final String text) {}
    }

    @Test
    void shouldNameTheIdWhenItIsTaken() {
        assertRefused(SameIds.class, "id: is taken by another listener: one");
    }

    static class RetriedPattern {
        @PenstockListener(pattern = "orders\\..*")
        @PenstockRetryTopic
        void on(final String text) {}
    }

    @Test
    void shouldRefuseRetryTopicsWhenThereIsAPattern() {
        assertRefused(RetriedPattern.class, "@PenstockRetryTopic", "name one topic");
    }

    static class HugeCredit {
        @PenstockListener(topic = "orders", durable = "mine", credit = "1000000")
        void on(final String text) {}
    }

    @Test
    void shouldNameTheCreditWhenADurableListenerHasTooMuch() {
        assertRefused(HugeCredit.class, "credit: ", "streamLimit");
    }

    static class SameDurable {
        @PenstockListener(id = "one", topic = "orders", durable = "mine")
        void on(final String text) {}

        @PenstockListener(id = "two", topic = "orders", durable = "mine")
        void onOther(final String text) {}
    }

    @Test
    void shouldNameBothMethodsWhenTheyHaveTheSameDurableName() {
        assertRefused(
                SameDurable.class,
                "SameDurable.on(java.lang.String)",
                "SameDurable.onOther(java.lang.String)",
                "durable: is the name of another listener, too: mine",
                "give each its own");
    }

    static class Later {
        @PenstockListener(topic = "orders")
        CompletableFuture<Quote> on(final String text) {
            return new CompletableFuture<>();
        }
    }

    @Test
    void shouldNameTheResultWhenItIsAFuture() {
        assertRefused(Later.class, "method: returns " + CompletableFuture.class.getName(), "return its value");
    }

    static class ManualFactory {
        @Bean
        static PenstockListenerConfigurer configurer(final PenstockConnection connection) {
            final PenstockListenerContainerFactory factory = new PenstockListenerContainerFactory(connection);
            factory.getSettings().setAckMode(AckMode.MANUAL);
            return registrar -> registrar.setContainerFactory(factory);
        }

        @PenstockListener(topic = "orders")
        void on(final String text) {}
    }

    @Test
    void shouldNameTheAckModeWhenItIsThatOfTheFactoryAndNobodyCanAcknowledge() {
        assertRefused(ManualFactory.class, "ackMode: is MANUAL, and the method cannot acknowledge");
    }

    static class ManualBatch {
        @PenstockListener(topic = "orders", batch = true, ackMode = "manual")
        void on(final List<String> texts) {}
    }

    @Test
    void shouldNameTheAckModeWhenABatchCannotBeAcknowledged() {
        assertRefused(ManualBatch.class, "ackMode: is MANUAL, and the method cannot acknowledge");
    }

    @PenstockListener(topic = "orders", ackMode = "manual")
    static class ManualClass {
        @PenstockHandler
        void on(final String text) {}
    }

    @Test
    void shouldNameTheAckModeWhenAHandlerCannotAcknowledge() {
        assertRefused(ManualClass.class, "ackMode: is MANUAL, and the method cannot acknowledge");
    }

    static class NegativeDelay {
        @PenstockListener(topic = "orders")
        @PenstockRetryTopic(delay = "-1s")
        void on(final String text) {}
    }

    @Test
    void shouldNameTheDelayWhenItIsNegative() {
        assertRefused(NegativeDelay.class, "delay: is negative: -1s");
    }

    static class GenericMirror {
        @PenstockState(topic = "quotes")
        @Nullable
        Map<String, List<Quote>> quotes;
    }

    @Test
    void shouldNameTheTypeOfAMirrorWhenItsValuesHaveTypeArguments() {
        assertRefused(GenericMirror.class, "java.util.List<", "use a class without type arguments");
    }
}
