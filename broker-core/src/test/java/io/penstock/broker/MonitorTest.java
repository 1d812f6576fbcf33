package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.event.Event;
import io.penstock.broker.monitor.Administrator;
import io.penstock.broker.monitor.ClientInfo;
import io.penstock.broker.monitor.Monitor;
import io.penstock.broker.monitor.Part;
import io.penstock.broker.monitor.Place;
import io.penstock.broker.monitor.SubscriptionInfo;
import io.penstock.broker.monitor.TopicDetails;
import io.penstock.broker.monitor.TransportInfo;
import io.penstock.client.ClientConfig;
import io.penstock.client.ConnectionException;
import io.penstock.client.Disconnect;
import io.penstock.client.PenstockClient;
import io.penstock.client.SubscribeRequest;
import io.penstock.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MonitorTest {
    private static final Administrator BY = new Administrator("http://127.0.0.1:1", "ann", "test", true);

    private final Queue<Event> events = new ConcurrentLinkedQueue<>();
    private final Broker broker = Broker.launch(BrokerConfig.builder()
            .listen("inproc:monitor-test")
            .topic(TopicConfig.keyed("prices", "json", "/symbol"))
            .events(events::add)
            .build());
    private final List<PenstockClient> clients = new ArrayList<>();

    @AfterEach
    void close() {
        clients.forEach(PenstockClient::close);
        broker.close();
    }

    private PenstockClient connect(final ClientConfig.Builder config) {
        final PenstockClient client = PenstockClient.connect(config.build());
        clients.add(client);
        return client;
    }

    private PenstockClient connect(final String name) {
        return connect(ClientConfig.builder("inproc:monitor-test").name(name));
    }

    private static <T> T get(final CompletableFuture<T> answer) {
        return answer.orTimeout(30, TimeUnit.SECONDS).join();
    }

    private List<ClientInfo> all(final int limit) {
        final List<ClientInfo> all = new ArrayList<>();
        Place place = Place.START;
        while (!place.isEnd()) {
            final Part<ClientInfo> part = get(broker.monitor().clients(place, limit));
            assertThat(part.items()).hasSizeLessThanOrEqualTo(limit);
            all.addAll(part.items());
            place = part.next();
        }
        return all;
    }

    @Test
    void shouldListEachClientOnceWhateverTheLimit() {
        for (int i = 0; i < 7; i++) {
            connect("client-" + i);
        }
        for (int limit = 1; limit < 9; limit++) {
            assertThat(all(limit))
                    .extracting(ClientInfo::name)
                    .containsExactlyInAnyOrder(
                            "client-0", "client-1", "client-2", "client-3", "client-4", "client-5", "client-6");
        }
    }

    @Test
    void shouldTellWhatAClientHasDone() {
        final PenstockClient client = connect("worker");
        client.subscribe("news", "n > 1", message -> {});
        client.publish("news", "{\"n\":1}");
        client.publish("news", "{\"n\":2}");
        client.flush();

        final ClientInfo info = all(100).get(0);

        assertThat(info.user()).isEqualTo("anonymous");
        assertThat(info.isLocal()).isTrue();
        assertThat(info.isEncrypted()).isFalse();
        assertThat(info.state()).isEqualTo(ClientInfo.State.ACTIVE);
        assertThat(info.subscriptions()).isOne();
        assertThat(info.subscriptionsBehind()).isZero();
        assertThat(info.messagesIn()).isEqualTo(2);
        assertThat(info.messagesOut()).isEqualTo(1);
        assertThat(info.bytesOut()).isPositive();
    }

    @Test
    void shouldListSubscriptionsOfAClientInPartsWhenThereAreMany() {
        final PenstockClient client = connect("reader");
        connect("other").subscribe(SubscribeRequest.pattern("pri.*"), message -> {});
        for (int i = 0; i < 5; i++) {
            client.subscribe("news", "n = " + i, message -> {});
        }
        final List<SubscriptionInfo> all = new ArrayList<>();
        Place place = Place.START;
        while (!place.isEnd()) {
            final Part<SubscriptionInfo> part = get(broker.monitor().subscriptions(place, 2));
            all.addAll(part.items());
            place = part.next();
        }

        assertThat(all)
                .extracting(SubscriptionInfo::filter)
                .containsExactlyInAnyOrder("n = 0", "n = 1", "n = 2", "n = 3", "n = 4", "");
        assertThat(all)
                .filteredOn(SubscriptionInfo::isPattern)
                .extracting(SubscriptionInfo::topic)
                .containsExactly("pri.*");
        assertThat(all).allMatch(info -> info.state() == SubscriptionInfo.State.LIVE && info.lag() == 0);
    }

    /** An agent that is asked once looks at no more subscriptions than a bound and one client have. */
    @Test
    void shouldEndAPartWhenClientsHaveManySubscriptions() {
        for (int i = 0; i < 4; i++) {
            final PenstockClient client = connect("reader-" + i);
            for (int j = 0; j < 2100; j++) {
                client.subscribe("news", message -> {});
            }
        }
        assertThat(get(broker.monitor().clients(Place.START, 100)).items()).hasSize(2);
        assertThat(all(100)).extracting(ClientInfo::subscriptions).containsExactly(2100, 2100, 2100, 2100);
        final List<SubscriptionInfo> subscriptions = new ArrayList<>();
        Place place = Place.START;
        while (!place.isEnd()) {
            final Part<SubscriptionInfo> part = get(broker.monitor().subscriptions(place, 1000));
            subscriptions.addAll(part.items());
            place = part.next();
        }
        assertThat(subscriptions).hasSize(8400).doesNotHaveDuplicates();
    }

    @Test
    void shouldEndASessionWhenKicked() throws Exception {
        final CompletableFuture<Disconnect> reason = new CompletableFuture<>();
        connect("bystander");
        connect(ClientConfig.builder("inproc:monitor-test").name("victim").onDisconnect(disconnect -> {
            reason.complete(disconnect);
            return disconnect.isTransient();
        }));
        final long id = all(10).stream()
                .filter(info -> info.name().equals("victim"))
                .findFirst()
                .orElseThrow()
                .id();

        assertThat(get(broker.monitor().kick(id, BY))).isTrue();
        assertThat(reason.get(30, TimeUnit.SECONDS).errorCode()).isEqualTo(ErrorCode.NOT_AUTHORIZED);
        assertThat(all(10)).extracting(ClientInfo::name).contains("bystander");
        assertThat(get(broker.monitor().kick(12345, BY))).isFalse();
        assertThat(get(broker.monitor().kick(-1, BY))).isFalse();
        broker.close();
        assertThat(events)
                .extracting(Event::toString)
                .anyMatch(text -> text.contains("ann") && text.contains("disconnect client " + id));
    }

    @Test
    void shouldTakeNoNewConnectionsWhenATransportIsDisabled() {
        final Monitor monitor = broker.monitor();
        final PenstockClient present = connect("present");

        assertThat(get(monitor.enable(0, "inproc", false, BY))).isTrue();
        assertThatThrownBy(() -> connect("late")).isInstanceOf(ConnectionException.class);
        present.publish("news", "{}");
        present.flush();
        final TransportInfo info = get(monitor.transports(0)).get(0);
        assertThat(info.isEnabled()).isFalse();
        assertThat(info.connections()).isOne();
        assertThat(info.refused()).isPositive();
        assertThat(info.endpoints()).isEqualTo(broker.endpoints());
        assertThat(get(monitor.enable(0, "inproc", true, BY))).isTrue();
        connect("back");
        assertThat(get(monitor.enable(0, "carrier-pigeon", true, BY))).isFalse();
        assertThat(get(monitor.enable(9, "inproc", true, BY))).isFalse();
    }

    @Test
    void shouldCountRowsOfATopicWithState() {
        final PenstockClient client = connect("publisher");
        client.publish("prices", "{\"symbol\":\"A\",\"price\":1}");
        client.publish("prices", "{\"symbol\":\"B\",\"price\":1}");
        client.publish("prices", "{\"symbol\":\"A\",\"price\":2}");
        client.publish("news", "{}");
        client.flush();

        final List<TopicDetails> topics = broker.monitor().topics();

        final TopicDetails prices = find(topics, "prices");
        assertThat(prices.rows()).isEqualTo(2);
        assertThat(prices.length()).isPositive();
        assertThat(prices.messages()).isEqualTo(3);
        assertThat(find(topics, "news").rows()).isNegative();
    }

    private static TopicDetails find(final List<TopicDetails> topics, final String name) {
        return topics.stream()
                .filter(each -> each.topic().name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldRefuseACursorThatIsNone() {
        for (final String text : new String[] {"", "1", "1-2", "1-2-3-4", "-1-2-3", "a-b-c", "1-2-99999999999"}) {
            assertThatThrownBy(() -> Place.parse(text))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("cursor");
        }
        assertThat(Place.parse("1-2-3")).isEqualTo(new Place(1, 2, 3));
    }

    @Test
    void shouldSayWhyItIsNotReadyWhenClosed() {
        assertThat(broker.notReady()).isEmpty();
        broker.close();
        assertThat(broker.notReady()).isNotEmpty();
    }
}
