package io.penstock.spring.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.penstock.client.Publication;
import io.penstock.spring.Eventually;
import io.penstock.spring.observation.DeliveryContext;
import io.penstock.spring.observation.SendContext;
import io.penstock.spring.template.PenstockTemplate;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.util.backoff.FixedBackOff;

/** What is observed of messages that come to a listener. */
@Timeout(180)
class ListenerObservationTest {
    private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    private final ContainerFixture fixture = new ContainerFixture();
    private final ObservationRegistry registry = ObservationRegistry.create();
    private final List<String> log = new CopyOnWriteArrayList<>();

    /** Writes what begins and ends, with the trace that a tracer would find. */
    private final class Recorder implements ObservationHandler<DeliveryContext> {
        @Override
        public boolean supportsContext(final Observation.Context context) {
            return context instanceof DeliveryContext;
        }

        @Override
        public void onStart(final DeliveryContext context) {
            log.add("start " + context.getName() + " " + context.attempt() + " "
                    + context.getGetter().get(Objects.requireNonNull(context.getCarrier()), "traceparent"));
        }

        @Override
        public void onStop(final DeliveryContext context) {
            final @Nullable Throwable error = context.getError();
            log.add("stop " + context.getName() + " " + context.attempt()
                    + (error == null ? "" : " " + error.getMessage()));
        }
    }

    @BeforeEach
    void observe() {
        registry.observationConfig().observationHandler(new Recorder());
        fixture.settings().setObservationRegistry(registry);
        fixture.settings().setErrorHandler(new DefaultErrorHandler(new FixedBackOff(1, 1)));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private void publish() {
        fixture.client().publish(Publication.to("orders").text("{\"id\":1}").header("traceparent", TRACE));
        fixture.client().flush();
    }

    @Test
    void shouldObserveReceiptAndEachAttemptWithTheTraceOfTheMessage() {
        final List<Integer> attempts = new CopyOnWriteArrayList<>();
        fixture.start("observed", ListenerSubscription.topic("orders"), deliveries -> {
            attempts.add(deliveries.get(0).attempt());
            final Observation current = Objects.requireNonNull(registry.getCurrentObservation());
            log.add("in " + current.getContextView().getName() + ", child of "
                    + Objects.requireNonNull(current.getContextView().getParentObservation())
                            .getContextView()
                            .getName());
            if (attempts.size() == 1) {
                throw new IllegalStateException("once");
            }
        });

        publish();

        Eventually.await(() -> "all, and there is " + log, () -> log.size() >= 8);
        assertThat(log)
                .containsExactly(
                        "start penstock.receive 1 " + TRACE,
                        "stop penstock.receive 1",
                        "start penstock.process 1 " + TRACE,
                        "in penstock.process, child of penstock.receive",
                        "stop penstock.process 1 once",
                        "start penstock.process 2 " + TRACE,
                        "in penstock.process, child of penstock.receive",
                        "stop penstock.process 2");
    }

    @Test
    void shouldBeTheParentOfWhatTheListenerSends() {
        final List<String> parents = new CopyOnWriteArrayList<>();
        registry.observationConfig().observationHandler(new ObservationHandler<SendContext>() {
            @Override
            public boolean supportsContext(final Observation.Context context) {
                return context instanceof SendContext;
            }

            @Override
            public void onStart(final SendContext context) {
                parents.add(Objects.requireNonNull(context.getParentObservation())
                        .getContextView()
                        .getName());
            }
        });
        final PenstockTemplate template = new PenstockTemplate(fixture.connection());
        template.setObservationRegistry(registry);
        fixture.start(
                "sends",
                ListenerSubscription.topic("orders"),
                deliveries -> template.send("fills", "{\"id\":1}").join());

        publish();

        Eventually.await("it has sent", () -> log.contains("stop penstock.process 1"));
        assertThat(parents).containsExactly("penstock.process");
    }

    @Test
    void shouldEndTheObservationOfWhatIsNotProcessedWhenStopped() {
        final PenstockListenerContainer container =
                fixture.start("dropped", ListenerSubscription.topic("orders"), deliveries -> {});
        container.pause();
        publish();
        Eventually.await("it waits", () -> container.getQueuedCount() == 1);

        container.stop();

        assertThat(log).containsExactly("start penstock.receive 1 " + TRACE, "stop penstock.receive 1");
    }

    @Test
    void shouldCallTheListenerWhenTheReceiptCannotBeObserved() {
        registry.observationConfig().observationHandler(new ObservationHandler<DeliveryContext>() {
            @Override
            public boolean supportsContext(final Observation.Context context) {
                return context instanceof DeliveryContext;
            }

            @Override
            public void onStart(final DeliveryContext context) {
                if ("penstock.receive".equals(context.getName())) {
                    throw new IllegalStateException("of a tracer");
                }
            }
        });
        final List<String> seen = new CopyOnWriteArrayList<>();
        final PenstockListenerContainer container = fixture.start(
                "untraced",
                ListenerSubscription.topic("orders"),
                deliveries -> deliveries.forEach(each -> seen.add(each.message().text())));

        publish();
        publish();

        Eventually.await("both came", () -> seen.size() == 2);
        assertThat(container.getState()).isEqualTo(ContainerState.RUNNING);
        assertThat(fixture.events()).isEmpty();
    }
}
