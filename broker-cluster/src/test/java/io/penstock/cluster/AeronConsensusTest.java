package io.penstock.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.aeron.Aeron;
import io.aeron.cluster.ClusterControl;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.shard.order.CommandHeader;
import io.penstock.broker.shard.order.CommandOrigin;
import io.penstock.broker.shard.replica.CommandSender;
import io.penstock.broker.shard.replica.CommandSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a broker sees of three nodes: the same commands in the same order with the same times, in spite of a lost leader. */
@Timeout(600)
class AeronConsensusTest {
    private static final int COUNT = 3;
    private static final Greeting GREETING = Greeting.of(BrokerConfig.builder().build());

    @TempDir
    private Path directory;

    private final List<Node> nodes = new ArrayList<>();
    private final List<String> left = new CopyOnWriteArrayList<>();
    private List<String> members = List.of();

    @BeforeEach
    void choosePorts() throws IOException {
        members = FreePorts.members(COUNT);
    }

    @AfterEach
    void close() {
        CloseHelper.quietCloseAll(nodes);
    }

    /** One node, with one agent that hands over and one shard. */
    private final class Node implements AutoCloseable {
        private final int member;
        private final ClusterEngine engine;
        private final CommandSender sender;
        private final CommandSource source;
        private final CommandOrigin origin;
        private final List<String> read = new ArrayList<>();

        Node(final int member, final Greeting greeting) {
            this.member = member;
            engine = ClusterEngine.open(
                    ClusterConfig.of(
                            member, members, directory.resolve("node-" + member).toString()),
                    left::add);
            sender = engine.consensus().sender(0, () -> {});
            source = engine.consensus().source(0, () -> {});
            origin = new CommandOrigin(member, 0, 0, engine.consensus().incarnation());
            engine.start(greeting);
        }

        boolean offer(final long number) {
            final UnsafeBuffer buffer = new UnsafeBuffer(new byte[CommandHeader.LENGTH]);
            CommandHeader.put(buffer, 0, CommandHeader.TEMPLATE_BATCH, origin, number);
            return sender.offer(buffer, 0, CommandHeader.LENGTH);
        }

        List<String> read() {
            source.read(
                    (timestampNs, buffer, offset, length) -> read.add(CommandHeader.member(buffer, offset) + "."
                            + CommandHeader.incarnation(buffer, offset) + "." + CommandHeader.number(buffer, offset)
                            + "@" + timestampNs),
                    100);
            return read;
        }

        boolean hasRead(final int from, final long number) {
            return read().stream().anyMatch(each -> each.matches(from + "\\.\\d+\\." + number + "@.*"));
        }

        @Override
        public void close() {
            engine.close();
        }
    }

    private Node start(final int member) {
        final Node node = new Node(member, GREETING);
        nodes.add(node);
        return node;
    }

    private boolean isLed() {
        return nodes.stream().anyMatch(node -> node.engine.consensus().isLeading());
    }

    /** Offers until a node has seen it come back, again after each loss. */
    private void pass(final Node from, final long number, final List<Node> to) {
        final long[] generation = {-1};
        Await.until("command " + number + " of node " + from.member, () -> {
            if (generation[0] != from.sender.generation() && from.offer(number)) {
                generation[0] = from.sender.generation();
            }
            return to.stream().allMatch(node -> node.hasRead(from.member, number));
        });
    }

    @Test
    void shouldGiveTheSameToAllNodesWhenTheLeaderEndsAndComesBack() {
        for (int i = 0; i < COUNT; i++) {
            start(i);
        }
        Await.until("a leader", this::isLed);
        for (int number = 1; number <= 10; number++) {
            for (final Node from : nodes) {
                pass(from, number, nodes);
            }
        }
        final Node first = nodes.stream()
                .filter(node -> node.engine.consensus().isLeading())
                .findFirst()
                .orElseThrow();
        nodes.remove(first);
        first.close();
        for (int number = 11; number <= 15; number++) {
            for (final Node from : List.copyOf(nodes)) {
                pass(from, number, nodes);
            }
        }
        final Node again = start(first.member);
        pass(again, 1, nodes);
        for (final Node node : nodes) {
            // A command that was offered twice may still be on its way to one of them.
            Await.until("what was there", () -> node.read().equals(again.read()));
        }
        assertThat(again.engine.consensus().incarnation())
                .isGreaterThan(first.engine.consensus().incarnation());
        assertThat(left).isEmpty();
    }

    @Test
    void shouldLeaveWhenItsSettingsAreOthers() {
        final Node first = start(0);
        final Node second = start(1);
        Await.until("a leader", this::isLed);
        pass(first, 1, List.of(first, second));

        final Node other =
                new Node(2, Greeting.of(BrokerConfig.builder().shardCount(2).build()));
        nodes.add(other);
        Await.until("the other one to leave", () -> !left.isEmpty());

        assertThat(left).hasSize(1).first().asString().contains("differ from those that the cluster was begun with");
        assertThat(other.read()).isEmpty();
        pass(second, 1, List.of(first, second));
    }

    /** Nobody would take commands any more, and clients would wait for ever. */
    @Test
    void shouldLeaveWhenAPartOfAeronEnds() throws IOException {
        members = FreePorts.members(1);
        final Node node = start(0);
        Await.until("a leader", this::isLed);

        final ClusterConfig config =
                ClusterConfig.of(0, members, directory.resolve("node-0").toString());
        try (Aeron aeron = Aeron.connect(
                new Aeron.Context().aeronDirectoryName(config.driverPath().toString()))) {
            final AtomicCounter toggle = ClusterControl.findControlToggle(aeron.countersReader(), 0);
            Await.until("control of the node", () -> ClusterControl.ToggleState.ABORT.toggle(toggle));
            Await.until("the node to leave", () -> !left.isEmpty());
        }

        assertThat(left).hasSize(1).first().asString().contains("ended");
        assertThat(node.engine.consensus().isClosing()).isTrue();
    }

    /** What has ended before it was known here is closed all the same. */
    @Test
    void shouldCloseWhatRunsWhenItLeavesWhileItStarts() throws IOException {
        members = FreePorts.members(1);
        final ClusterConfig config =
                ClusterConfig.of(0, members, directory.resolve("node-0").toString());
        try (ClusterEngine engine = ClusterEngine.open(config, left::add)) {
            engine.consensus().source(0, () -> {});
            engine.consensus().onFailed(0, new IllegalStateException("planted"));
            Await.until("the node to leave", () -> !left.isEmpty());
            engine.start(GREETING);

            assertThat(config.driverPath()).doesNotExist();
        }
    }
}
