package io.penstock.system.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.BrokerConfig;
import io.penstock.client.Ack;
import io.penstock.client.AckType;
import io.penstock.client.Bookmark;
import io.penstock.client.Message;
import io.penstock.client.MessageStream;
import io.penstock.client.NoReplyException;
import io.penstock.client.PenstockClient;
import io.penstock.client.PenstockException;
import io.penstock.client.Publication;
import io.penstock.client.PublishOptions;
import io.penstock.client.RecordKind;
import io.penstock.client.ReplayRequest;
import io.penstock.client.SowRequest;
import io.penstock.client.SubscribeRequest;
import io.penstock.client.Topic;
import io.penstock.format.header.Headers;
import io.penstock.protocol.ErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a program may expect of headers, of keys on deliveries, and of requests, whatever is between client and broker. */
@Timeout(60)
abstract class HeadersTck extends BrokerFixture {
    private static final String TOPIC = "orders";
    private static final Headers ALL = Headers.builder()
            .put("region", "EU")
            .put("attempt", 3)
            .put("blob", new byte[] {0, -1, 7})
            .put(Headers.CONTENT_TYPE, "application/json")
            .build();

    HeadersTck(final BrokerConfig.Builder config) {
        super(config);
    }

    @Test
    void shouldDeliverHeadersWithMessagesOfAnyLength() {
        final PenstockClient client = connect();
        final MessageStream stream = client.stream(TOPIC);
        for (final int length : new int[] {0, 1, 100, 60_000, 65_536, 70_000, 900_000}) {
            final String text = "\"" + "x".repeat(length) + "\"";
            client.publish(Publication.to(TOPIC).text(text).headers(ALL));
            client.publish(TOPIC, text);
            final Message with = taken(stream);
            assertThat(with.headers()).isEqualTo(ALL);
            assertThat(with.text()).isEqualTo(text);
            final Message without = taken(stream);
            assertThat(without.headers().isEmpty()).isTrue();
            assertThat(without.text()).isEqualTo(text);
        }
    }

    @Test
    void shouldFilterByHeaders() {
        final PenstockClient client = connect();
        final MessageStream byText =
                client.stream(SubscribeRequest.topic(TOPIC).filter("HEADER('region') = 'EU' AND id > 1"));
        final MessageStream byNumber =
                client.stream(SubscribeRequest.topic(TOPIC).filter("HEADER('attempt') >= 2"));
        final MessageStream missing =
                client.stream(SubscribeRequest.topic(TOPIC).filter("HEADER('region') IS NULL"));
        client.publish(Publication.to(TOPIC).text("{\"id\":1}").header("region", "EU"));
        client.publish(
                Publication.to(TOPIC).text("{\"id\":2}").header("region", "EU").header("attempt", "2"));
        client.publish(
                Publication.to(TOPIC).text("{\"id\":3}").header("region", "US").header("attempt", 2));
        client.publish(TOPIC, "{\"id\":4,\"region\":\"EU\"}");
        client.publish(Publication.to(TOPIC).text("{\"id\":5}").header("region", "EU"));
        assertThat(texts(byText, 2)).containsExactly("{\"id\":2}", "{\"id\":5}");
        assertThat(texts(byNumber, 2)).containsExactly("{\"id\":2}", "{\"id\":3}");
        assertThat(texts(missing, 1)).containsExactly("{\"id\":4,\"region\":\"EU\"}");
        assertThatThrownBy(() -> client.stream(SubscribeRequest.topic(TOPIC).filter("HEADER(region) = 1")))
                .hasMessageContaining("a header's name in single quotes");
        assertThatThrownBy(() -> client.stream(SubscribeRequest.topic(TOPIC).filter("HEADER('a b') = 1")))
                .hasMessageContaining("use letters, digits");
    }

    @Test
    void shouldKeepHeadersInStateUntilTheNextMessageOfTheKey() {
        final PenstockClient client = connect();
        client.declareTopic(Topic.json(TOPIC).key("id"));
        final MessageStream stream = client.stream(SubscribeRequest.topic(TOPIC)
                .filter("HEADER('region') = 'EU'")
                .sow()
                .oof());
        client.publish(Publication.to(TOPIC).text("{\"id\":1,\"a\":1}").headers(ALL));
        assertThat(taken(stream).headers()).isEqualTo(ALL);
        client.publish(Publication.to(TOPIC).text("{\"id\":1,\"b\":2}").delta().header("region", "EU"));
        final Message merged = taken(stream);
        assertThat(merged.text()).isEqualTo("{\"id\":1,\"a\":1,\"b\":2}");
        assertThat(merged.headers().toMap()).isEqualTo(Map.of("region", "EU"));
        final SowRequest query = SowRequest.topic(TOPIC).filter("HEADER('region') = 'EU'");
        assertThat(client.sow(query).messages())
                .singleElement()
                .satisfies(
                        message -> assertThat(message.headers().text("region")).isEqualTo("EU"));
        final SowRequest select = SowRequest.topic(TOPIC).select("id, HEADER('region') AS where, HEADER('none')");
        assertThat(client.sow(select).texts()).containsExactly("{\"id\":1,\"where\":\"EU\",\"none\":null}");
        final SowRequest groups = SowRequest.topic(TOPIC)
                .select("HEADER('region') AS region, COUNT(*) AS n")
                .groupBy("HEADER('region')");
        assertThat(client.sow(groups).texts()).containsExactly("{\"region\":\"EU\",\"n\":1}");
        client.publish(TOPIC, "{\"id\":1}");
        final Message gone = taken(stream);
        assertThat(gone.kind()).isEqualTo(RecordKind.OOF_MATCH);
        assertThat(client.sow(query).messages()).isEmpty();
        assertThat(client.sow(SowRequest.topic(TOPIC))
                        .messages()
                        .get(0)
                        .headers()
                        .isEmpty())
                .isTrue();
    }

    @Test
    void shouldDeliverHeadersWithSelectionsAndDeltas() {
        final PenstockClient client = connect();
        client.declareTopic(Topic.json(TOPIC).key("id"));
        final MessageStream selected =
                client.stream(SubscribeRequest.topic(TOPIC).select("a").sow());
        final MessageStream deltas =
                client.stream(SubscribeRequest.topic(TOPIC).sow().delta());
        client.publish(Publication.to(TOPIC).text("{\"id\":1,\"a\":1,\"b\":1}").header("n", 1));
        assertThat(texts(selected, 1)).containsExactly("{\"id\":1,\"a\":1}");
        assertThat(taken(deltas).headers().number("n", 0)).isEqualTo(1);
        client.publish(Publication.to(TOPIC).text("{\"id\":1,\"a\":1,\"b\":2}").header("n", 2));
        assertThat(taken(selected).headers().number("n", 0)).isEqualTo(2);
        final Message delta = taken(deltas);
        assertThat(delta.text()).isEqualTo("{\"id\":1,\"b\":2}");
        assertThat(delta.headers().number("n", 0)).isEqualTo(2);
        assertThat(delta.key()).isEqualTo("{\"id\":1}");
    }

    @Test
    void shouldMakeKeysOfHeaders() {
        final PenstockClient client = connect();
        client.declareTopic(Topic.json(TOPIC).key("HEADER('region'), id"));
        client.publish(Publication.to(TOPIC).text("{\"id\":1,\"a\":1}").header("region", "EU"));
        client.publish(Publication.to(TOPIC).text("{\"id\":1,\"a\":2}").header("region", "US"));
        client.publish(Publication.to(TOPIC).text("{\"id\":1,\"a\":3}").header("region", "EU"));
        assertThatThrownBy(() ->
                        client.publish(TOPIC, "{\"id\":1}", AckType.PROCESSED).join())
                .hasMessageContaining("HEADER('region') is missing");
        final SowRequest query = SowRequest.topic(TOPIC).orderBy("HEADER('region')");
        final List<Message> records = client.sow(query).messages();
        assertThat(records).extracting(Message::text).containsExactly("{\"id\":1,\"a\":3}", "{\"id\":1,\"a\":2}");
        final String key = records.get(0).key();
        assertThat(key).isEqualTo("{\"id\":1,\"HEADER('region')\":\"EU\"}");
        assertThat(client.sow(SowRequest.topic(TOPIC).keys(List.of(key))).texts())
                .containsExactly("{\"id\":1,\"a\":3}");
        assertThat(client.sowDelete(TOPIC, List.of(key))).isEqualTo(1);
        assertThat(client.sow(query).texts()).containsExactly("{\"id\":1,\"a\":2}");
    }

    @Test
    void shouldMirrorStateByTheKeysOfDeliveries() {
        final PenstockClient client = connect();
        client.declareTopic(Topic.json("quotes").key("/of/symbol, venue"));
        client.declareTopic(Topic.binary("blobs").key("*"));
        client.declareTopic("log", "json");
        final Map<String, String> mirror = new HashMap<>();
        final MessageStream quotes =
                client.stream(SubscribeRequest.topic("quotes").sow().oof());
        for (final String quote : List.of(
                "{\"of\":{\"symbol\":\"A\\\"B\"},\"venue\":2.0,\"bid\":1}",
                "{\"bid\":2,\"venue\":2,\"of\":{\"symbol\":\"A\\u0022B\"}}",
                "{\"bid\":3,\"venue\":2.5,\"of\":{\"symbol\":\"A\"}}")) {
            client.publish("quotes", quote);
            final Message message = taken(quotes);
            mirror.put(message.key(), message.text());
        }
        final String key = "{\"of\":{\"symbol\":\"A\\\"B\"},\"venue\":2}";
        assertThat(mirror.keySet()).containsExactlyInAnyOrder(key, "{\"of\":{\"symbol\":\"A\"},\"venue\":2.5}");
        assertThat(client.sowDelete("quotes", new ArrayList<>(mirror.keySet()))).isEqualTo(2);
        for (int i = 0; i < 2; i++) {
            final Message gone = taken(quotes);
            assertThat(gone.kind()).isEqualTo(RecordKind.OOF_DELETED);
            assertThat(mirror.remove(gone.key())).isNotNull();
        }
        final MessageStream plain = client.stream(SubscribeRequest.pattern(".*"));
        client.publish(Publication.to("blobs").text("x").key("läge").header("a", "b"));
        assertThat(taken(plain).key()).isEqualTo("läge");
        client.publish("log", "{\"id\":1}");
        assertThat(taken(plain).key()).isEmpty();
        client.publish("quotes", "{\"bid\":3,\"venue\":true,\"of\":{\"symbol\":\"A\"}}");
        assertThat(taken(plain).key()).isEqualTo("{\"of\":{\"symbol\":\"A\"},\"venue\":true}");
    }

    @Test
    void shouldRefuseHeadersThatAreTooManyOrTooLong() {
        final PenstockClient client = connect();
        final Publication message = Publication.to(TOPIC).text("{}");
        for (int i = 0; i < 65; i++) {
            message.header("h" + i, i);
        }
        assertThatThrownBy(() -> client.publish(message)).hasMessageContaining("65 of them (give at most 64)");
        final Publication longer = Publication.to(TOPIC).text("{}").header("h", "x".repeat(16 * 1024));
        assertThatThrownBy(() -> client.publish(longer)).hasMessageContaining("give at most 16384");
        assertThatThrownBy(() -> longer.header("a b", 1)).hasMessageContaining("bad name: a b");
        assertThatThrownBy(() -> longer.header(Headers.REPLY_TO, 1)).hasMessageContaining("reserved for texts");
    }

    @Test
    void shouldReplayHeadersFromTheLog() {
        final PenstockClient client = connect();
        client.publish(Publication.to(TOPIC).text("{\"id\":1}").headers(ALL));
        client.publish(TOPIC, "{\"id\":2}");
        client.flush(LONG);
        final MessageStream stream =
                client.stream(ReplayRequest.topic(TOPIC).filter("HEADER('attempt') = 3 OR id = 2"));
        assertThat(taken(stream).headers()).isEqualTo(ALL);
        assertThat(taken(stream).headers().isEmpty()).isTrue();
    }

    @Test
    void shouldAnswerRequests() {
        final PenstockClient server = connect();
        final PenstockClient client = connect();
        server.subscribe(
                "double",
                message -> server.reply(
                        message.headers(),
                        String.valueOf(2 * Integer.parseInt(message.text())),
                        PublishOptions.NONE.header("of", message.text())));
        final List<CompletableFuture<Message>> replies = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            replies.add(client.request("double", String.valueOf(i), LONG));
        }
        for (int i = 0; i < 100; i++) {
            final Message reply = replies.get(i).join();
            assertThat(reply.text()).isEqualTo(String.valueOf(2 * i));
            assertThat(reply.headers().text("of")).isEqualTo(String.valueOf(i));
        }
    }

    @Test
    void shouldTakeRepliesThatAreNotOfTheDefaultFormat() {
        final PenstockClient client = connect();
        client.declareTopic("bytes", "binary");
        client.subscribe("bytes", message -> client.reply(message, "no JSON: " + message.text()));
        assertThat(client.request("bytes", "{", LONG).join().text()).isEqualTo("no JSON: {");
    }

    @Test
    void shouldReportAtOnceThatNobodyAnswers() {
        final PenstockClient client = connect();
        assertThatThrownBy(() ->
                        client.request("nowhere", "{}", Duration.ofMinutes(5)).join())
                .hasRootCauseInstanceOf(PenstockException.class)
                .rootCause()
                .extracting("errorCode")
                .isEqualTo(ErrorCode.NO_RESPONDER);
        client.declareTopic(Topic.json("keyed").key("id"));
        assertThatThrownBy(() -> client.request("keyed", "{\"id\":1}", Duration.ofMinutes(5))
                        .join())
                .hasMessageContaining("nobody subscribes");
        assertThat(client.sow(SowRequest.topic("keyed")).messages())
                .as("what is refused is not applied")
                .isEmpty();
        final var silent = client.subscribe(SubscribeRequest.pattern("now.*"), message -> {});
        assertThatThrownBy(() ->
                        client.request("nowhere", "{}", Duration.ofMillis(50)).join())
                .hasCauseInstanceOf(NoReplyException.class)
                .hasMessageContaining("no reply within 50 ms");
        silent.close();
        assertThatThrownBy(() ->
                        client.request("nowhere", "{}", Duration.ofMinutes(5)).join())
                .hasMessageContaining("nobody subscribes");
    }

    @Test
    void shouldAcknowledgeWithTheBookmarkOfTheMessage() {
        final PenstockClient client = connect();
        client.declareTopic(Topic.json("keyed").key("id"));
        final MessageStream stream = client.stream(SubscribeRequest.pattern(".*"));
        for (int i = 0; i < 50; i++) {
            final String topic = i % 3 == 0 ? "keyed" : TOPIC + i % 3;
            final Ack ack = client.publish(topic, "{\"id\":" + i + "}", AckType.PROCESSED)
                    .join();
            assertThat(ack.bookmark()).isEqualTo(taken(stream).bookmark());
        }
        final PenstockClient named = connect(builder().name("named"));
        final Publication seventh = Publication.to(TOPIC).text("{}").publisherSequence(7);
        assertThat(named.publish(seventh, AckType.PROCESSED).join().bookmark())
                .isEqualTo(taken(stream).bookmark());
        final Ack dropped = named.publish(seventh, AckType.PROCESSED).join();
        assertThat(dropped.isDuplicate()).isTrue();
        assertThat(dropped.bookmark()).isEqualTo(Bookmark.NONE);
    }

    @Test
    void shouldRefuseToReplyToWhatAsksForNoReply() {
        final PenstockClient client = connect();
        final MessageStream stream = client.stream(TOPIC);
        client.publish(TOPIC, "{}");
        final Message message = taken(stream);
        assertThatThrownBy(() -> client.reply(message, "{}")).hasMessageContaining("asks for none");
    }
}
