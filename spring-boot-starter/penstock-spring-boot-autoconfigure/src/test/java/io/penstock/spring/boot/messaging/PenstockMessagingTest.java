package io.penstock.spring.boot.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.observation.ObservationRegistry;
import io.penstock.client.ClientConfig;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.annotation.PenstockListener;
import io.penstock.spring.boot.PenstockAutoConfiguration;
import io.penstock.spring.boot.embedded.EmbeddedBrokerAutoConfiguration;
import io.penstock.spring.endpoint.PenstockListenerContainerFactory;
import io.penstock.spring.endpoint.PenstockListenerEndpointRegistry;
import io.penstock.spring.listener.AckMode;
import io.penstock.spring.listener.ContainerSettings;
import io.penstock.spring.listener.DefaultErrorHandler;
import io.penstock.spring.listener.ListenerStartException;
import io.penstock.spring.listener.PenstockErrorHandler;
import io.penstock.spring.template.PenstockTemplate;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.messaging.Message;
import org.springframework.messaging.converter.AbstractMessageConverter;
import org.springframework.messaging.converter.MessageConverter;
import org.springframework.util.MimeType;

/** Templates and listeners as the properties say. */
class PenstockMessagingTest {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    EmbeddedBrokerAutoConfiguration.class,
                    PenstockAutoConfiguration.class,
                    PenstockMessagingAutoConfiguration.class,
                    JacksonAutoConfiguration.class))
            .withPropertyValues("penstock.embedded.enabled=true");

    /** A payload. */
    public record Order(String id, int quantity) {}

    /** Takes some orders. */
    static class Listener {
        final BlockingQueue<Order> received = new LinkedBlockingQueue<>();

        @PenstockListener(topic = "orders", filter = "quantity > 1")
        void onOrder(final Order order) {
            received.add(order);
        }
    }

    /** Its filter is wrong. */
    static class BadListener {
        @PenstockListener(topic = "orders", filter = "quantity >")
        void onOrder(final Order order) {}
    }

    @Test
    void shouldDeliverWhatTheFilterMatchesWhenSomethingIsSent() {
        runner.withBean(Listener.class).run(context -> {
            final PenstockTemplate template = context.getBean(PenstockTemplate.class);
            template.send("orders", new Order("a", 1)).get(20, TimeUnit.SECONDS);
            template.send("orders", new Order("b", 2)).get(20, TimeUnit.SECONDS);
            assertThat(context.getBean(Listener.class).received.poll(20, TimeUnit.SECONDS))
                    .isEqualTo(new Order("b", 2));
        });
    }

    @Test
    void shouldFailWithMethodAndAttributeWhenAFilterIsWrong() {
        runner.withBean(BadListener.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .satisfies(failure -> assertThat(context.getStartupFailure())
                                .hasStackTraceContaining(ListenerStartException.class.getName())
                                .hasStackTraceContaining("BadListener")
                                .hasStackTraceContaining("filter")));
    }

    @Test
    void shouldSetUpContainersWhenPropertiesAreGiven() {
        final PenstockErrorHandler handler = (PenstockErrorHandler) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {PenstockErrorHandler.class},
                (proxy, method, arguments) -> {
                    throw new AssertionError("not called");
                });
        final ObservationRegistry registry = ObservationRegistry.create();
        runner.withPropertyValues(
                        "penstock.listener.auto-startup=false",
                        "penstock.listener.concurrency=3",
                        "penstock.listener.batch-size=10",
                        "penstock.listener.ack-mode=manual",
                        "penstock.listener.shutdown-timeout=3s",
                        "penstock.listener.idle-event-interval=1m")
                .withBean(PenstockErrorHandler.class, () -> handler)
                .withBean(ObservationRegistry.class, () -> registry)
                .withBean(
                        ContainerFactoryCustomizer.class,
                        () -> factory -> factory.getSettings().setPhase(7))
                .run(context -> {
                    final ContainerSettings settings = context.getBean(PenstockListenerContainerFactory.class)
                            .getSettings();
                    assertThat(settings.isAutoStartup()).isFalse();
                    assertThat(settings.getConcurrency()).isEqualTo(3);
                    assertThat(settings.getBatchSize()).isEqualTo(10);
                    assertThat(settings.getAckMode()).isEqualTo(AckMode.MANUAL);
                    assertThat(settings.getShutdownTimeout()).isEqualTo(Duration.ofSeconds(3));
                    assertThat(settings.getIdleEventInterval()).isEqualTo(Duration.ofMinutes(1));
                    assertThat(settings.getErrorHandler()).isSameAs(handler);
                    assertThat(settings.getObservationRegistry()).isSameAs(registry);
                    assertThat(settings.getPhase()).isEqualTo(7);
                });
    }

    /** Names no error handler. */
    static class Undecided {
        @PenstockListener(topic = "orders")
        void on(final String text) {}
    }

    /** Names one of several. */
    static class Decided {
        @PenstockListener(topic = "orders", errorHandler = "second")
        void on(final String text) {}
    }

    @Test
    void shouldNotStartWhenThereAreSeveralErrorHandlersAndAListenerNamesNone() {
        final ApplicationContextRunner two = runner.withPropertyValues("penstock.listener.auto-startup=false")
                .withBean("first", PenstockErrorHandler.class, DefaultErrorHandler::new)
                .withBean("second", PenstockErrorHandler.class, DefaultErrorHandler::new);
        two.withBean(Undecided.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .isInstanceOf(ListenerStartException.class)
                        .hasMessageContainingAll("errorHandler", "first, second", "@Primary"));
        two.withBean(Decided.class).run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void shouldTakeThePrimaryErrorHandlerWhenThereAreSeveral() {
        runner.withPropertyValues("penstock.listener.auto-startup=false")
                .withBean("first", PenstockErrorHandler.class, DefaultErrorHandler::new)
                .withBean(
                        "second",
                        PenstockErrorHandler.class,
                        DefaultErrorHandler::new,
                        definition -> definition.setPrimary(true))
                .withBean(Undecided.class)
                .run(context -> assertThat(context.getBean(PenstockListenerContainerFactory.class)
                                .getSettings()
                                .getErrorHandler())
                        .isSameAs(context.getBean("second")));
    }

    @Test
    void shouldNotObserveWhenThePropertySaysSo() {
        runner.withPropertyValues("penstock.listener.observation-enabled=false")
                .withBean(ObservationRegistry.class, ObservationRegistry::create)
                .run(context -> assertThat(context.getBean(PenstockListenerContainerFactory.class)
                                .getSettings()
                                .getObservationRegistry()
                                .isNoop())
                        .isTrue());
    }

    @Test
    void shouldHaveTheDefaultsOfContainersWhenNothingIsSet() {
        runner.run(context -> {
            final ContainerSettings settings =
                    context.getBean(PenstockListenerContainerFactory.class).getSettings();
            final ContainerSettings defaults = new ContainerSettings();
            assertThat(settings.getConcurrency()).isEqualTo(defaults.getConcurrency());
            assertThat(settings.getBatchSize()).isEqualTo(defaults.getBatchSize());
            assertThat(settings.getAckMode()).isEqualTo(defaults.getAckMode());
            assertThat(settings.getShutdownTimeout()).isEqualTo(defaults.getShutdownTimeout());
            assertThat(settings.isAutoStartup()).isEqualTo(defaults.isAutoStartup());
        });
    }

    @Test
    void shouldStartWithoutListenersWhenTheBrokerIsAway() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        PenstockAutoConfiguration.class,
                        PenstockMessagingAutoConfiguration.class,
                        JacksonAutoConfiguration.class))
                .withPropertyValues("penstock.servers=inproc:nobody-is-there")
                .withBean(Listener.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            penstock.listener.concurrency=0         | penstock.listener.concurrency: out of range: 0
            penstock.listener.batch-size=0          | penstock.listener.batch-size: out of range: 0
            penstock.listener.shutdown-timeout=-1s  | penstock.listener.shutdown-timeout: is negative: PT-1S
            penstock.listener.idle-event-interval=-1s  | penstock.listener.idle-event-interval: is negative: PT-1S
            penstock.template.request-timeout=0s    | penstock.template.request-timeout: is not positive: PT0S
            """)
    void shouldNameThePropertyWhenItsValueIsWrong(final String property, final String message) {
        runner.withPropertyValues(property)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .satisfies(failure ->
                                assertThat(context.getStartupFailure()).hasStackTraceContaining(message)));
    }

    @Test
    void shouldListenWhenBeansAreMadeLate() {
        runner.withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .withBean(Listener.class)
                .run(context -> {
                    context.getBean(PenstockTemplate.class)
                            .send("orders", new Order("b", 2))
                            .get(20, TimeUnit.SECONDS);
                    assertThat(context.getBean(PenstockListenerEndpointRegistry.class)
                                    .getContainers())
                            .hasSize(1);
                });
    }

    /** Written in a way of its own. */
    private static final class Ids extends AbstractMessageConverter {
        Ids() {
            super(new MimeType("application", "json"));
        }

        @Override
        protected boolean supports(final Class<?> type) {
            return type == Order.class;
        }

        @Override
        protected Object convertFromInternal(
                final Message<?> message, final Class<?> type, final @Nullable Object hint) {
            return new Order("made by the application", 1);
        }
    }

    @Test
    void shouldConvertAsTheApplicationSaysWhenThereAreTwoTemplates() {
        runner.withBean(PenstockMessagingAutoConfiguration.CONVERTER, MessageConverter.class, Ids::new)
                .withBean("one", PenstockTemplate.class, () -> new PenstockTemplate(none()))
                .withBean("two", PenstockTemplate.class, () -> new PenstockTemplate(none()))
                .withBean(Listener.class)
                .run(context -> {
                    context.getBean(PenstockConnection.class).client().publish("orders", "{\"quantity\":2}");
                    assertThat(context.getBean(Listener.class).received.poll(20, TimeUnit.SECONDS))
                            .isEqualTo(new Order("made by the application", 1));
                });
    }

    private static PenstockConnection none() {
        return new PenstockConnection(purpose -> ClientConfig.of("inproc:nobody-is-there"));
    }

    @Test
    void shouldMakeATemplateWhenTheApplicationBringsItsOwnConnectionAlone() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(PenstockMessagingAutoConfiguration.class))
                .withBean(PenstockConnection.class, PenstockMessagingTest::none)
                .run(context -> assertThat(context).hasSingleBean(PenstockTemplate.class));
    }
}
