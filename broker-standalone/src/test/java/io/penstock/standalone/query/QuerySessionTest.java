package io.penstock.standalone.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.TopicConfig;
import io.penstock.client.ClientConfig;
import io.penstock.client.PenstockClient;
import io.penstock.client.PenstockException;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.console.RowOptions;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class QuerySessionTest {
    private static final String ENDPOINT = "inproc:query-session";
    private static final int TRIES = 10;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void shouldConnectAgainAtTheNextLineWhenTheBrokerWasStartedAgain() {
        final Broker first = broker();
        try (Link link = link()) {
            final QuerySession session = session(link);
            publish();
            session.answer("FROM s");
            assertThat(out.toString()).contains("7");
            first.close();
            while (!link.present().isClosed()) {
                Thread.onSpinWait();
            }
            assertThatThrownBy(() -> session.answer("FROM s")).isInstanceOf(PenstockException.class);

            try (Broker second = broker()) {
                assertThat(second.endpoints()).hasSize(1);
                publish();
                out.getBuffer().setLength(0);
                session.answer("FROM s");
                session.answer("FROM s");
            }
        }
        assertThat(out.toString()).contains("7");
        assertThat(err.toString().lines().filter(line -> line.contains("connected")))
                .containsExactly("the connection was lost: connected again to " + ENDPOINT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"quit", "exit", "\\q", ".quit", "QUIT", "quit;", " .quit ; "})
    void shouldEndWhenToldSoInOtherWords(final String line) {
        try (Broker broker = broker();
                Link link = link()) {
            assertThat(broker.endpoints()).hasSize(1);
            assertThat(session(link).answer(line)).isFalse();
        }
    }

    @Test
    void shouldTakeSemicolonsAndExplainItselfWhenAsked() {
        try (Broker broker = broker();
                Link link = link()) {
            assertThat(broker.endpoints()).hasSize(1);
            final QuerySession session = session(link);
            publish();

            assertThat(session.answer("SELECT id FROM s ; ")).isTrue();
            assertThat(session.answer(";")).isTrue();
            assertThat(session.answer("help")).isTrue();
            assertThat(session.answer(".topics;")).isTrue();
        }
        assertThat(out.toString()).contains("7", ".quit", "json");
    }

    @Test
    void shouldNameTheNearestWhenThereIsNoSuchTopic() {
        try (Broker broker = broker();
                Link link = link()) {
            assertThat(broker.endpoints()).hasSize(1);

            assertThatThrownBy(() -> session(link).answer(".fields sales"))
                    .isInstanceOf(CommandFailure.class)
                    .hasMessage("query: .fields: no such topic: sales (did you mean sale?)");
            assertThatThrownBy(() -> session(link).answer(".fields nope"))
                    .hasMessage("query: .fields: no such topic: nope (see .topics)");
        }
    }

    @Test
    void shouldWarnWhenNoRecordHasAFieldOfTheCondition() {
        try (Broker broker = broker();
                Link link = link()) {
            assertThat(broker.endpoints()).hasSize(1);
            publish();
            // There is no warning when the answer takes a second.
            for (int i = 0; i < TRIES && err.toString().isEmpty(); i++) {
                session(link).answer("SELECT id FROM s WHERE idd = 7");
            }
        }
        assertThat(err.toString()).contains("no record of s has a value in /idd now");
    }

    private QuerySession session(final Link link) {
        return new QuerySession(
                link, Duration.ofSeconds(10), RowOptions.of("json"), new PrintWriter(out), new PrintWriter(err));
    }

    private Link link() {
        return new Link(() -> PenstockClient.connect(ENDPOINT), ENDPOINT, new PrintWriter(err));
    }

    private static Broker broker() {
        return Broker.launch(BrokerConfig.builder()
                .listen(ENDPOINT)
                .topic(TopicConfig.keyed("s", "json", "id"))
                .topic(TopicConfig.keyed("sale", "json", "id"))
                .build());
    }

    private static void publish() {
        try (PenstockClient client =
                PenstockClient.connect(ClientConfig.builder(ENDPOINT).build())) {
            client.publish("s", "{\"id\":7}");
            client.flush();
        }
    }
}
