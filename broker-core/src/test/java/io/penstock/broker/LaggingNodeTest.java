package io.penstock.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.journal.RecoveryListener;
import io.penstock.broker.session.client.ClientProfile;
import io.penstock.broker.shard.log.Publication;
import io.penstock.broker.shard.order.CommandHeader;
import io.penstock.broker.shard.order.CommandOrigin;
import io.penstock.broker.shard.order.CommandWriter;
import io.penstock.broker.shard.order.MessageEntry;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients of a node of several that has not applied all that is decided. */
class LaggingNodeTest {
    private static final int OTHER_MEMBER = 2;
    private static final String NAME = "publisher";
    private static final byte[] PAYLOAD = "{}".getBytes(UTF_8);

    private static TestBroker start(final int shardCount) {
        return new TestBroker(
                "inproc",
                builder -> builder.shardCount(shardCount).topic(TopicConfig.topic("prices", "json")),
                RecoveryListener.NONE,
                true);
    }

    /** At another node the publisher was opened, and has published up to a sequence. */
    private static void publishElsewhere(final TestBroker test, final long sequence) {
        final CommandOrigin origin = new CommandOrigin(OTHER_MEMBER, 0, 0, 1);
        final CommandWriter open = new CommandWriter();
        open.begin(CommandHeader.TEMPLATE_OPEN_PUBLISHER, origin, 1);
        open.putShort(1).putText(ClientProfile.publisherName("anonymous", NAME));
        test.consensus.decide(open.buffer(), open.length());

        final UnsafeBuffer batch = new UnsafeBuffer(new byte[256]);
        CommandHeader.put(batch, 0, CommandHeader.TEMPLATE_BATCH, origin, 2);
        final Publication message =
                new Publication().of(0, 1, sequence).payload(new UnsafeBuffer(PAYLOAD), 0, PAYLOAD.length);
        MessageEntry.put(batch, CommandHeader.LENGTH, message);
        CommandHeader.count(batch, 0, 1);
        test.consensus.decide(batch, CommandHeader.LENGTH + MessageEntry.lengthOf(message));
    }

    /** A client that numbers its messages from there on would lose those that the node did not know of. */
    @Test
    void shouldNameTheSequenceOfAllThatIsDecidedWhenAPublisherLogsOn() {
        try (TestBroker test = start(1)) {
            test.settle();
            test.consensus.hold(true);
            publishElsewhere(test, 5);
            final RawClient client = test.connect();
            client.logon(NAME);
            test.settle();
            assertThat(client.events).as("has to wait").isEmpty();

            test.consensus.hold(false);
            test.await(() -> client.events.contains("logonAck"));

            assertThat(client.lastPublisherSequence).isEqualTo(5);
            client.publish(1, 6, RawClient.ACK_PROCESSED, "prices", PAYLOAD);
            test.awaitAck(client, 1);
            assertThat(test.broker.counter("messages")).isEqualTo(2);
            assertThat(test.consensus.wrong).isEmpty();
        }
    }

    /** Each shard has an order of its own. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldLogOnWhenAllShardsHaveReplied(final int shardCount) {
        try (TestBroker test = start(shardCount)) {
            final RawClient client = test.logOn(NAME);

            assertThat(client.lastPublisherSequence).isZero();
        }
    }

    @Test
    void shouldNotWaitWhenAClientWithoutANameLogsOn() {
        try (TestBroker test = start(1)) {
            test.settle();
            test.consensus.hold(true);

            test.logOn("");
        }
    }
}
