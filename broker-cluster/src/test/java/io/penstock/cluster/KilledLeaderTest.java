package io.penstock.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes in processes of their own, whose leader is killed. */
@Timeout(900)
class KilledLeaderTest {
    private static final int COUNT = 3;

    @TempDir
    private Path folder;

    private final List<NodeProcess> nodes = new ArrayList<>();

    @AfterEach
    void close() {
        CloseHelper.quietCloseAll(nodes);
    }

    private int leader() {
        for (int i = 0; i < nodes.size(); i++) {
            if (nodes.get(i).leads()) {
                return i;
            }
        }
        return -1;
    }

    @Test
    void shouldLoseAndRepeatNothingWhenTheLeaderIsKilledAndComesBack() throws IOException {
        final List<String> members = FreePorts.members(COUNT);
        for (int i = 0; i < COUNT; i++) {
            nodes.add(new NodeProcess(i, members, folder, "tcp://127.0.0.1:0"));
        }
        final List<String> endpoints = new ArrayList<>();
        for (final NodeProcess node : nodes) {
            Await.until("a node", () -> !node.endpoint().isEmpty());
            endpoints.add(node.endpoint());
        }
        Await.until("a leader", () -> leader() >= 0);
        try (LoadClients clients = new LoadClients(endpoints)) {
            clients.publish(50);
            clients.awaitAcknowledged();
            for (int i = 0; i < COUNT; i++) {
                clients.read(i, endpoints.get(i));
            }
            final int killed = leader();
            final int before = clients.acknowledgedCount();
            Await.until("some that were published beside the kill", () -> {
                clients.publishSome();
                return clients.acknowledgedCount() > before + 100;
            });
            final Thread killer = new Thread(() -> nodes.get(killed).kill(), "killer");
            killer.start();
            Await.until("the kill", () -> {
                clients.publishSome();
                return !killer.isAlive();
            });
            assertThat(clients.inFlightCount()).as("messages in flight").isPositive();
            clients.publish(100);
            clients.awaitAcknowledged();
            final List<String> seenByOthers = clients.seenAt((killed + 1) % COUNT);

            nodes.set(killed, new NodeProcess(killed, members, folder, endpoints.get(killed)));
            Await.until("the node", () -> !nodes.get(killed).endpoint().isEmpty());
            clients.read(killed, endpoints.get(killed));
            for (int i = 0; i < COUNT; i++) {
                clients.awaitSeen(i);
            }
            clients.check();
            clients.checkKept(seenByOthers);
        }
    }
}
