package io.penstock.spring.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.client.PenstockClient;
import io.penstock.spring.Eventually;
import io.penstock.spring.TestBroker;
import io.penstock.spring.TestContext;
import io.penstock.spring.convert.PenstockConverters;
import io.penstock.spring.endpoint.PenstockListenerConfigurer;
import io.penstock.spring.endpoint.PenstockListenerEndpointRegistry;
import io.penstock.spring.listener.ListenerStartException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.Ordered;
import org.springframework.core.env.MapPropertySource;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.converter.MessageConversionException;
import org.springframework.messaging.converter.MessageConverter;
import org.springframework.messaging.handler.annotation.SendTo;

/** Beans that are not as simple as most: proxies, scopes, interfaces, converters of the program. */
class ListenerBeansTest {
    private static final List<String> SEEN = new CopyOnWriteArrayList<>();

    private final TestBroker broker = TestBroker.inproc();
    private final PenstockClient client = broker.client();

    /** A payload. */
    record Quote(int id, double price) {}

    @AfterEach
    void close() {
        client.close();
        broker.close();
        SEEN.clear();
    }

    private static void awaitSeen(final String... expected) {
        Eventually.await(() -> List.of(expected) + ", and there is " + SEEN, () -> SEEN.size() >= expected.length);
        assertThat(SEEN).containsExactlyInAnyOrder(expected);
    }

    /** Another one for each call. */
    @Scope(value = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
    static class Scoped {
        @PenstockListener(id = "scoped", topic = "orders")
        public void on(final String text) {
            SEEN.add(text);
        }
    }

    @Test
    void shouldCallTheProxyOnceForEachMessageWhenABeanIsScoped() {
        try (TestContext context = TestContext.start(broker.clients(), Scoped.class)) {
            for (int i = 0; i < 4; i++) {
                client.publish("orders", Integer.toString(i));
            }
            awaitSeen("0", "1", "2", "3");
            assertThat(context.bean(PenstockListenerEndpointRegistry.class).getContainers())
                    .hasSize(1);
        }
    }

    /** Each one would listen as long as the context. */
    @Scope("prototype")
    static class Prototype {
        @PenstockListener(topic = "orders")
        void on(final String text) {}
    }

    @Test
    void shouldRefuseAListenerWhenItsBeanIsAPrototype() {
        try (TestContext context = TestContext.start(broker.clients(), Prototype.class)) {
            assertThatThrownBy(() -> context.bean(Prototype.class))
                    .rootCause()
                    .isInstanceOf(ListenerStartException.class)
                    .hasMessageContaining("Prototype")
                    .hasMessageContaining("scope")
                    .hasMessageContaining("make it a singleton");
        }
    }

    /** What a proxy of Java has of its bean. */
    interface Prices {
        Quote price(Quote asked);
    }

    static class PricesOfBean implements Prices {
        @Override
        @PenstockListener(topic = "price")
        @SendTo("${topic.of.prices}")
        public Quote price(final Quote asked) {
            return new Quote(asked.id(), 5);
        }
    }

    /** Makes proxies of Java. */
    static final class Proxies implements BeanPostProcessor, Ordered {
        @Override
        public Object postProcessAfterInitialization(final Object bean, final String beanName) {
            return bean instanceof Prices ? new ProxyFactory(bean).getProxy() : bean;
        }

        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE;
        }
    }

    @Test
    void shouldSendTheResultWhenTheBeanHasAProxyAndTheTopicAPlaceholder() {
        try (TestContext context = TestContext.start(
                broker.clients(),
                changed -> changed.getEnvironment()
                        .getPropertySources()
                        .addFirst(new MapPropertySource("test", Map.of("topic.of.prices", "prices"))),
                Proxies.class,
                PricesOfBean.class)) {
            client.publish("price", "{\"id\":8,\"price\":1}");
            Eventually.await(
                    "the result is in prices",
                    () -> context.template().query("prices", "", Quote.class).equals(List.of(new Quote(8, 5))));
        }
    }

    /** Says what its implementations listen to. */
    interface Orders {
        @PenstockListener(topic = "orders")
        void on(String text);
    }

    static class OrdersOfBean implements Orders {
        @Override
        public void on(final String text) {
            SEEN.add(text);
        }
    }

    @Test
    void shouldListenWhenTheAnnotationIsThatOfAnInterface() {
        try (TestContext context = TestContext.start(broker.clients(), OrdersOfBean.class)) {
            client.publish("orders", "1");
            awaitSeen("1");
            assertThat(context.connection().isConnected()).isTrue();
        }
    }

    /** As that of Jackson: a text has to be one of JSON, and bytes as well. */
    private static final class ObjectsAlone implements MessageConverter {
        private final MessageConverter json = PenstockConverters.defaults();

        @Override
        public @Nullable Object fromMessage(final Message<?> message, final Class<?> type) {
            if (type == String.class || type == byte[].class) {
                throw new MessageConversionException("no text of JSON");
            }
            return json.fromMessage(message, type);
        }

        @Override
        public @Nullable Message<?> toMessage(final Object payload, final @Nullable MessageHeaders headers) {
            return json.toMessage(payload, headers);
        }
    }

    static class Texts {
        @Bean
        static PenstockListenerConfigurer configurer() {
            return registrar -> registrar.setMessageConverter(new ObjectsAlone());
        }

        @PenstockListener(topic = "orders")
        void text(final String text) {
            SEEN.add("text " + text);
        }

        @PenstockListener(topic = "orders", batch = true)
        void texts(final List<String> texts) {
            texts.forEach(text -> SEEN.add("texts " + text));
        }

        @PenstockListener(topic = "orders")
        void bytes(final byte[] bytes) {
            SEEN.add("bytes " + bytes.length);
        }

        @PenstockListener(topic = "orders")
        void quote(final Quote quote) {
            SEEN.add("quote " + quote.id());
        }
    }

    @Test
    void shouldGiveTextsAndBytesAsTheyAreWhenTheProgramHasAConverterOfObjects() {
        try (TestContext context = TestContext.start(broker.clients(), Texts.class)) {
            final String json = "{\"id\":1,\"price\":1}";
            client.publish("orders", json);
            awaitSeen("text " + json, "texts " + json, "bytes 18", "quote 1");
            context.template().setMessageConverter(new ObjectsAlone());
            client.publish("quotes", "{\"id\":1}");
            client.flush();
            assertThat(context.template().query("quotes", "", String.class)).containsExactly("{\"id\":1}");
        }
    }

    /** Needs more than a payload. */
    static class Choosy {
        @Bean
        static PenstockListenerConfigurer configurer() {
            return registrar -> registrar.setMessageConverter(new MessageConverter() {
                @Override
                public Object fromMessage(final Message<?> message, final Class<?> type) {
                    if (message.getHeaders().get("version") == null) {
                        throw new IllegalStateException("no version");
                    }
                    return new Quote(7, 1);
                }

                @Override
                public @Nullable Message<?> toMessage(final Object payload, final @Nullable MessageHeaders headers) {
                    return null;
                }
            });
        }

        @PenstockListener(topic = "orders")
        void quote(final Quote quote) {
            SEEN.add("quote " + quote.id());
        }
    }

    @Test
    void shouldStartWhenAConverterFailsWithTheProbe() {
        try (TestContext context = TestContext.start(broker.clients(), Choosy.class)) {
            client.publish(
                    io.penstock.client.Publication.to("orders").text("{}").header("version", 1));
            awaitSeen("quote 7");
            assertThat(context.connection().isConnected()).isTrue();
        }
    }
}
