package io.penstock.vm.guest.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.penstock.transport.rdma.verbs.Completions;
import io.penstock.transport.rdma.verbs.SendRequests;
import io.penstock.transport.rdma.verbs.VerbsEndpoint;
import io.penstock.transport.rdma.verbs.VerbsProvider;
import io.penstock.vm.Guest;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What each provider of the interface has to do, on the guest's device. */
@Timeout(120)
public abstract class VerbsTck {
    protected abstract VerbsProvider provider();

    private VerbsPair pair() throws IOException {
        return new VerbsPair(provider(), new InetSocketAddress(Guest.ADDRESS, 0));
    }

    @Test
    void shouldConnectWithPrivateDataInBothDirections() throws IOException {
        try (VerbsPair pair = pair().connected()) {
            assertThat(pair.heard)
                    .containsSubsequence("client resolved", "server requested hello", "client established welcome")
                    .contains("server established ");
            final VerbsEndpoint client = pair.clientSide.endpoint();
            final VerbsEndpoint server = pair.serverSide.endpoint();
            assertThat(client.peerAddress()).isEqualTo(pair.listener.address());
            assertThat(server.peerAddress()).isEqualTo(client.localAddress());
            assertThat(server.device()).isSameAs(client.device());
            assertThat(client.device().name()).isNotEmpty();
            assertThat(client.device().registrationLengthMax()).isGreaterThan(1 << 30);
        }
    }

    @Test
    void shouldListenOnAllAddressesWhenAskedTo() throws IOException {
        try (VerbsPair pair = new VerbsPair(provider(), new InetSocketAddress("0.0.0.0", 0))) {
            pair.dial(
                    new InetSocketAddress(Guest.ADDRESS, pair.listener.address().getPort()));

            pair.awaitHeard("client established welcome");
        }
    }

    @Test
    void shouldReportTheReasonWhenThePeerRefuses() throws IOException {
        try (VerbsPair pair = pair()) {
            pair.isRejecting = true;
            pair.dial(pair.listener.address());

            pair.awaitHeard("client failed REJECTED full");
        }
    }

    @Test
    void shouldFailWhenNobodyListens() throws IOException {
        try (VerbsPair pair = pair()) {
            pair.dial(new InetSocketAddress(Guest.ADDRESS, 1));

            pair.awaitHeard("client failed NOBODY_LISTENS ");
        }
    }

    @Test
    void shouldSayWhatToDoWhenTheAddressIsTakenOrNotOurs() throws IOException {
        try (VerbsPair pair = pair()) {
            assertThatThrownBy(() -> pair.client.listen(pair.listener.address(), 1))
                    .isInstanceOf(IOException.class)
                    .hasMessageEndingWith(" (use another port, or 0 for any)");
            assertThatThrownBy(() -> pair.client.listen(new InetSocketAddress("192.0.2.1", 0), 1))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("'rdma link' lists them");
        }
    }

    @Test
    void shouldKeepOrderWhenSendsArePostedInBatches() throws IOException {
        try (VerbsPair pair = pair().connected()) {
            final VerbsPair.Side client = pair.clientSide;
            for (int i = 0; i < 13; i++) {
                client.memory.putInt(64 * i, i);
                client.send(i, 7000 + i, i == 12 ? SendRequests.SIGNALLED : 0, 64 * i, 4 + i);
            }

            assertThat(client.post(13)).isEqualTo(13);

            pair.serverSide.awaitCompleted(13);
            for (int i = 0; i < 13; i++) {
                assertThat(pair.serverSide.completed.get(i)).isEqualTo(1000 + i + " received " + (4 + i));
                assertThat(pair.serverSide.memory.getInt(VerbsPair.RECEIVE_OFFSET + 4096 * i))
                        .isEqualTo(i);
            }
            client.awaitCompleted(1);
            assertThat(client.completed).containsExactly("7012 sent");
        }
    }

    @Test
    void shouldGatherTwoPiecesAndTakeInlineOnesAlong() throws IOException {
        try (VerbsPair pair = pair().connected()) {
            final VerbsPair.Side client = pair.clientSide;
            client.memory.putLong(0, 11);
            client.memory.putLong(512, 22);
            client.send(0, 1, SendRequests.SIGNALLED, 0, 8);
            client.sends.putSecond(
                    0,
                    client.memory.addressOffset() + 512,
                    8,
                    client.registration().localKey());
            assertThat(client.endpoint().inlineLength()).isGreaterThanOrEqualTo(8);
            client.send(1, 2, SendRequests.SIGNALLED | SendRequests.INLINE, 0, 8);

            assertThat(client.post(2)).isEqualTo(2);
            client.memory.putLong(0, 33);

            pair.serverSide.awaitCompleted(2);
            assertThat(pair.serverSide.completed).containsExactly("1000 received 16", "1001 received 8");
            assertThat(pair.serverSide.memory.getLong(VerbsPair.RECEIVE_OFFSET + 8))
                    .isEqualTo(22);
            assertThat(pair.serverSide.memory.getLong(VerbsPair.RECEIVE_OFFSET + 4096))
                    .isEqualTo(11);
        }
    }

    @Test
    void shouldReadAndWriteThePeersMemory() throws IOException {
        try (VerbsPair pair = pair().connected()) {
            final VerbsPair.Side client = pair.clientSide;
            final VerbsPair.Side server = pair.serverSide;
            final int remoteKey = server.registration().remoteKey();
            server.memory.setMemory(65536, 65536, (byte) 5);
            server.memory.putByte(2 * 65536 - 1, (byte) 6);
            client.memory.setMemory(0, 4096, (byte) 9);
            client.send(0, 1, SendRequests.SIGNALLED, 65536, 65536);
            put(client, 0, SendRequests.READ, 65536, 65536);
            client.sends.putRemote(0, server.memory.addressOffset() + 65536, remoteKey, 0);
            put(client, 1, SendRequests.WRITE, 0, 4096);
            client.sends.putRemote(1, server.memory.addressOffset() + 4096, remoteKey, 0);
            put(client, 2, SendRequests.WRITE_WITH_IMMEDIATE, 0, 100);
            client.sends.putRemote(2, server.memory.addressOffset() + 8192, remoteKey, 0x1234_5678);
            put(client, 3, SendRequests.WRITE_WITH_IMMEDIATE, 0, 0);
            client.sends.putRemote(3, 0, 0, -2);

            assertThat(client.post(4)).isEqualTo(4);

            client.awaitCompleted(4);
            server.awaitCompleted(2);
            assertThat(client.completed).containsExactly("0 sent", "1 sent", "2 sent", "3 sent");
            assertThat(server.completed).containsExactly("1000 number " + 0x1234_5678, "1001 number -2");
            assertThat(client.memory.getByte(2 * 65536 - 2)).isEqualTo((byte) 5);
            assertThat(client.memory.getByte(2 * 65536 - 1)).isEqualTo((byte) 6);
            assertThat(server.memory.getByte(8191)).isEqualTo((byte) 9);
            assertThat(server.memory.getByte(8192 + 99)).isEqualTo((byte) 9);
        }
    }

    private static void put(
            final VerbsPair.Side side, final int index, final int operation, final int offset, final int length) {
        final long address = side.memory.addressOffset() + offset;
        final int key = side.registration().localKey();
        side.sends.put(index, index, operation, SendRequests.SIGNALLED, address, length, key);
    }

    @Test
    void shouldBreakAndFlushWhenARequestFails() throws IOException {
        try (VerbsPair pair = pair().connected()) {
            final VerbsPair.Side client = pair.clientSide;
            put(client, 0, SendRequests.READ, 0, 64);
            client.sends.putRemote(0, pair.serverSide.memory.addressOffset(), 0x7777, 0);
            client.send(1, 1, SendRequests.SIGNALLED, 0, 8);

            client.post(2);

            client.awaitCompleted(18);
            assertThat(client.completed.get(0)).startsWith("0 failed ").doesNotEndWith(" " + Completions.FLUSHED);
            assertThat(client.completed).contains("1 failed " + Completions.FLUSHED);
            for (int i = 0; i < 16; i++) {
                assertThat(client.completed).contains(1000 + i + " failed " + Completions.FLUSHED);
            }
        }
    }

    @Test
    void shouldTakeNoMoreThanTheQueueHolds() throws IOException {
        try (VerbsPair pair = pair().connected()) {
            final VerbsPair.Side client = pair.clientSide;
            int receives = 0;
            int taken;
            while ((taken = client.receive(0, 16)) > 0 && receives < 4096) {
                receives += taken;
            }
            assertThat(receives).isBetween(VerbsPair.CAPACITY - 16, 4095);
        }
    }

    @Test
    void shouldNotifyThePeerAndFlushWhenDisconnected() throws IOException {
        try (VerbsPair pair = pair().connected()) {
            pair.clientSide.endpoint().disconnect();

            pair.awaitHeard("server disconnected");
            pair.serverSide.endpoint().disconnect();
            pair.serverSide.awaitCompleted(16);
            pair.clientSide.awaitCompleted(16);
            assertThat(pair.serverSide.completed).allMatch(each -> each.endsWith("failed " + Completions.FLUSHED));
            assertThat(pair.heard.stream().filter("server disconnected"::equals))
                    .hasSize(1);
        }
    }

    @Test
    void shouldEndAWaitWhenACompletionComesOrSomebodyWakesIt() throws Exception {
        try (VerbsPair pair = pair().connected()) {
            final VerbsPair.Side server = pair.serverSide;
            server.endpoint().arm();
            assertThat(server.endpoint().isArmed()).isTrue();
            pair.server.wakeupCompletions();
            pair.server.awaitCompletions(-1);
            pair.server.awaitCompletions(10_000_000);
            assertThat(server.poll()).isZero();
            server.endpoint().arm();

            pair.clientSide.send(0, 1, SendRequests.SIGNALLED, 0, 8);
            pair.clientSide.post(1);
            pair.await("the armed queue", () -> {
                pair.server.awaitCompletions(1_000_000_000);
                return !server.endpoint().isArmed();
            });

            assertThat(server.poll()).isOne();
            pair.server.wakeupEvents();
            pair.server.awaitEvents(-1);
            pair.server.awaitEvents(10_000_000);
        }
    }

    /** Also the figure of a thousand exchanges with up to 16 on their way, for people. */
    @Test
    void shouldMakeNoObjectsWhenMessagesFlow() throws IOException {
        try (VerbsPair pair = pair().connected()) {
            exchange(pair, 300);
            final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            final long startNs = System.nanoTime();
            final long before = threads.getCurrentThreadAllocatedBytes();

            final int sent = exchange(pair, 1000);

            final long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            final long perMessageNs = (System.nanoTime() - startNs) / sent;
            System.out.printf(
                    "%s: %d messages in batches: %d ns and %.2f B each%n",
                    provider().name(), sent, perMessageNs, allocated / (double) sent);
            assertThat(allocated).as("bytes for %d messages", sent).isLessThan(sent);
        }
    }

    /** Posts batches of 1 to 16 in turn; each is received, given back, and completed before the next one. */
    private static int exchange(final VerbsPair pair, final int countMin) {
        final VerbsPair.Side client = pair.clientSide;
        final VerbsPair.Side server = pair.serverSide;
        int sent = 0;
        int batch = 1;
        int slot = client.nextSlot;
        while (sent < countMin) {
            for (int i = 0; i < batch; i++) {
                client.send(i, i, i == batch - 1 ? SendRequests.SIGNALLED : 0, 0, 256);
            }
            assertTrue(client.post(batch) == batch);
            int received = 0;
            int completed = 0;
            while (received < batch || completed < 1) {
                final int count = server.endpoint().poll(server.completions);
                for (int i = 0; i < count; i++) {
                    assertTrue(server.completions.status(i) == Completions.SUCCESS);
                    assertTrue(server.completions.id(i) == 1000 + slot);
                    assertTrue(server.receive(slot, 1) == 1);
                    slot = (slot + 1) % 16;
                }
                received += Math.max(0, count);
                completed += Math.max(0, client.endpoint().poll(client.completions));
            }
            sent += batch;
            batch = batch % 16 + 1;
        }
        client.nextSlot = slot;
        return sent;
    }

    /** AssertJ makes objects. */
    private static void assertTrue(final boolean condition) {
        if (!condition) {
            throw new AssertionError("a message was lost, or came out of order");
        }
    }
}
