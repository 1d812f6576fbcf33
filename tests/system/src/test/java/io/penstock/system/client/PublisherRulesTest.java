package io.penstock.system.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.JournalConfig;
import io.penstock.client.AckType;
import io.penstock.client.LogPlace;
import io.penstock.client.Message;
import io.penstock.client.PenstockClient;
import io.penstock.client.Publication;
import io.penstock.client.ReplayRequest;
import io.penstock.client.SubscribeRequest;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowPublisherVerification;
import org.testng.SkipException;

/** The rules of reactive streams, as their own kit checks them, for publishers of a client. */
class PublisherRulesTest {
    private static final int TIMEOUT_MS = 20_000;

    /** How long the kit waits to see that nothing comes. */
    private static final int SILENCE_MS = 100;

    private static final int ELEMENT_COUNT_MAX = 2_000;

    @TempDir
    static Path directory;

    private static Broker broker;
    private static PenstockClient client;

    @BeforeAll
    static void launch() {
        broker = Broker.launch(BrokerConfig.builder()
                .listen("inproc:publisher-rules")
                .journal(JournalConfig.in(directory.toString()))
                .build());
        client = PenstockClient.connect("inproc:publisher-rules");
    }

    @AfterAll
    static void close() {
        client.close();
        broker.close();
    }

    @TestFactory
    Stream<DynamicTest> shouldObeyTheRulesOfReactiveStreams() {
        final List<Method> rules = Arrays.stream(FlowPublisherVerification.class.getMethods())
                .filter(method -> method.isAnnotationPresent(org.testng.annotations.Test.class))
                .sorted(Comparator.comparing(Method::getName))
                .toList();
        assertThat(rules).hasSizeGreaterThan(30);
        return rules.stream().map(rule -> DynamicTest.dynamicTest(rule.getName(), () -> check(rule)));
    }

    private static void check(final Method rule) throws Throwable {
        final Rules rules = new Rules();
        rules.setUp();
        try {
            rule.invoke(rules);
        } catch (final InvocationTargetException e) {
            if (e.getCause() instanceof SkipException skipped) {
                throw new TestAbortedException(skipped.getMessage(), skipped);
            }
            throw e.getCause();
        }
    }

    /** Publishers of topics that have as many messages as are asked for. */
    private static final class Rules extends FlowPublisherVerification<Message> {
        private static final AtomicInteger TOPIC_COUNT = new AtomicInteger();

        Rules() {
            super(new TestEnvironment(TIMEOUT_MS, SILENCE_MS));
        }

        @Override
        public Flow.Publisher<Message> createFlowPublisher(final long elements) {
            final String topic = "t" + TOPIC_COUNT.incrementAndGet();
            client.declareTopic(topic, "json");
            client.publishAll(
                            IntStream.range(0, (int) elements)
                                    .mapToObj(i -> Publication.to(topic).text("{\"n\":" + i + "}"))
                                    .toList(),
                            AckType.PERSISTED)
                    .join();
            return client.publisher(
                    ReplayRequest.topic(topic).from(LogPlace.BEGINNING).to(LogPlace.NOW));
        }

        @Override
        public Flow.Publisher<Message> createFailedFlowPublisher() {
            return client.publisher(SubscribeRequest.topic("t").filter("price >"));
        }

        @Override
        public long maxElementsFromPublisher() {
            return ELEMENT_COUNT_MAX;
        }
    }
}
