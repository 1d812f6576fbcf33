package io.penstock.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.BrokerConfig;
import io.penstock.broker.ThreadingMode;
import io.penstock.broker.TopicConfig;
import io.penstock.broker.event.EventHandler;
import io.penstock.broker.journal.RecoveryListener;
import io.penstock.client.AckType;
import io.penstock.client.PenstockClient;
import io.penstock.client.RecordKind;
import io.penstock.client.SubscribeRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.agrona.CloseHelper;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Three nodes in one process. */
@Timeout(600)
class ThreeNodesTest {
    private static final int COUNT = 3;
    private static final int EXPIRATION_MS = 2000;

    @TempDir
    private Path directory;

    private final @Nullable ClusterBroker[] nodes = new ClusterBroker[COUNT];
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

    private void start(final int member, final ThreadingMode threading) {
        final BrokerConfig config = BrokerConfig.builder()
                .listen("tcp://127.0.0.1:0")
                .threading(threading)
                .shardCount(2)
                .topic(new TopicConfig("prices", false, "json", 1, "id", EXPIRATION_MS, true))
                .events(EventHandler.NONE)
                .build();
        nodes[member] = ClusterBroker.launch(
                config,
                ClusterConfig.of(
                        member, members, directory.resolve("node-" + member).toString()),
                RecoveryListener.NONE,
                left::add);
    }

    private String endpoint(final int member) {
        return node(member).broker().endpoints().get(0).toString();
    }

    private ClusterBroker node(final int member) {
        return Objects.requireNonNull(nodes[member]);
    }

    private int leader() {
        for (int i = 0; i < COUNT; i++) {
            final ClusterBroker node = nodes[i];
            if (node != null && node.isLeader()) {
                return i;
            }
        }
        return -1;
    }

    @ParameterizedTest
    @EnumSource(
            value = ThreadingMode.class,
            names = {"SHARED", "DEDICATED"})
    void shouldHaveTheSameOnAllNodesWhenTheLeaderEndsAndComesBack(final ThreadingMode threading) {
        final List<String> endpoints = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            start(i, threading);
            endpoints.add(endpoint(i));
        }
        Await.until("a leader", () -> leader() >= 0);
        try (LoadClients clients = new LoadClients(endpoints)) {
            clients.publish(100);
            clients.publishLong((leader() + 1) % COUNT);
            clients.awaitAcknowledged();
            for (int i = 0; i < COUNT; i++) {
                clients.read(i, endpoints.get(i));
                clients.awaitSeen(i);
            }
            final int first = leader();
            clients.publish(300);
            node(first).close();
            nodes[first] = null;
            Await.until("another leader", () -> leader() >= 0 && leader() != first);
            clients.publish(100);
            clients.awaitAcknowledged();

            start(first, threading);
            clients.read(first, endpoint(first));
            for (int i = 0; i < COUNT; i++) {
                clients.awaitSeen(i);
            }
            clients.check();
        }
        assertThat(left).isEmpty();
    }

    /** Who leads notices that something is due; the order says when it is gone. */
    @Test
    void shouldDeleteOnAllNodesWhenARecordHasExpired() {
        final List<PenstockClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < COUNT; i++) {
                start(i, ThreadingMode.SHARED);
                clients.add(PenstockClient.connect(endpoint(i)));
            }
            Await.until("a leader", () -> leader() >= 0);
            final List<List<String>> gone = new ArrayList<>();
            for (final PenstockClient client : clients) {
                final List<String> deletions = new CopyOnWriteArrayList<>();
                gone.add(deletions);
                client.subscribe(SubscribeRequest.topic("prices").sow().oof(), message -> {
                    if (message.kind() == RecordKind.OOF_EXPIRED) {
                        deletions.add(message.sequence() + " " + message.key());
                    }
                });
            }
            for (int id = 0; id < 10; id++) {
                clients.get(id % COUNT)
                        .publish("prices", "{\"id\":" + id + "}", AckType.PERSISTED)
                        .join();
            }
            Await.until("expiration", () -> gone.stream().allMatch(each -> each.size() == 10));
            assertThat(gone.get(1)).isEqualTo(gone.get(0));
            assertThat(gone.get(2)).isEqualTo(gone.get(0));
        } finally {
            CloseHelper.quietCloseAll(clients);
        }
    }
}
