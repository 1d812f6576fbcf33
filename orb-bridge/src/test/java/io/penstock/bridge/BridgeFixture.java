package io.penstock.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.penstock.bridge.config.BridgeConfig;
import io.penstock.orb.BrokerException;
import io.penstock.orb.Delivery;
import io.penstock.orb.DeliveryWithHeaders;
import io.penstock.orb.Header;
import io.penstock.orb.MessageListener;
import io.penstock.orb.PenstockBroker;
import io.penstock.orb.Publication;
import io.penstock.protocol.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** A bridge and a client of it, whichever way it is reached. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class BridgeFixture {
    static final int WAIT_MS = 20_000;
    private static final AtomicInteger TOPICS = new AtomicInteger();

    Harness harness;
    protected PenstockBroker broker;

    /** With the front end. */
    protected abstract BridgeConfig config();

    /** The guests' session. */
    protected abstract PenstockBroker broker(Harness newHarness) throws Exception;

    /** A listener as a client hands it over. */
    protected abstract MessageListener exported(MessageListener listener) throws Exception;

    @BeforeAll
    void start() throws Exception {
        harness = Harness.of(config());
        broker = broker(harness);
    }

    @AfterAll
    void stop() {
        harness.close();
    }

    static Header[][] badHeaders() {
        return new Header[][] {
            {Header.of("a b", "text")},
            {Header.of("twice", 1), Header.of("twice", 2)},
            {Header.of("reply-to", 1)},
            {Header.of("long", new byte[17 * 1024])}
        };
    }

    static void assertSame(final Header[] expected, final @Nullable List<Header> actual) {
        assertThat(actual).usingRecursiveComparison().isEqualTo(List.of(expected));
    }

    void publish(final String topic, final String text) throws Exception {
        broker.publish(publication(topic, text), false);
    }

    public static Publication publication(final String topic, final String text) {
        return Publication.of(topic, text.getBytes(StandardCharsets.UTF_8));
    }

    public static String topic() {
        return "tck-" + TOPICS.incrementAndGet();
    }

    static String text(final Delivery delivery) {
        return new String(delivery.data(), StandardCharsets.UTF_8);
    }

    List<String> take(final long subscription, final int count) throws Exception {
        return takeDeliveries(subscription, count).stream()
                .map(BridgeFixture::text)
                .toList();
    }

    List<Delivery> takeDeliveries(final long subscription, final int count) throws Exception {
        final List<Delivery> taken = new ArrayList<>();
        while (taken.size() < count) {
            final Delivery[] next = broker.next(subscription, 500, WAIT_MS);
            assertThat(next).as("messages after %d of %d", taken.size(), count).isNotEmpty();
            taken.addAll(List.of(next));
        }
        return taken;
    }

    List<DeliveryWithHeaders> takeWithHeaders(final long subscription, final int count) throws Exception {
        final List<DeliveryWithHeaders> taken = new ArrayList<>();
        while (taken.size() < count) {
            final DeliveryWithHeaders[] next = broker.nextWithHeaders(subscription, 500, WAIT_MS);
            assertThat(next).as("messages after %d of %d", taken.size(), count).isNotEmpty();
            taken.addAll(List.of(next));
        }
        return taken;
    }

    public static void assertRefused(final ErrorCode code, final Call call) {
        final Throwable thrown = catchThrowable(call::run);
        assertThat(thrown).isInstanceOf(BrokerException.class);
        assertThat(((BrokerException) thrown).name()).isEqualTo(code.name());
        assertThat(((BrokerException) thrown).code()).isEqualTo(code.code());
        assertThat(((BrokerException) thrown).text()).isNotEmpty();
    }

    /** A call that may be refused. */
    public interface Call {
        void run() throws Exception;
    }
}
