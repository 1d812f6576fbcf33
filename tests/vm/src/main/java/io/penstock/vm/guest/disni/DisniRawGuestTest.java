package io.penstock.vm.guest.disni;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import com.ibm.disni.verbs.RdmaEventChannel;
import com.ibm.disni.verbs.SVCPostSend;
import io.penstock.nativeaccess.DisniLibrary;
import io.penstock.nativeaccess.InternalPackages;
import io.penstock.vm.Guest;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.LinkedList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** DiSNI's own classes over our native methods, on the guest's device. */
@Timeout(120)
public class DisniRawGuestTest {
    private static final int FLUSHED = 5;
    private static final int REMOTE_ACCESS_ERROR = 10;
    private static final int NO_RECEIVE = 13;
    private static final int SEND_COMPLETED = IbvWC.IbvWcOpcode.IBV_WC_SEND.getOpcode();

    @BeforeAll
    static void load() throws IOException {
        DisniLibrary.load();
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 4096})
    void shouldEchoWhenOneMessageIsOnItsWay(final int length) throws Exception {
        try (RawPair pair = new RawPair(any(), 2, length)) {
            final int count = 200;
            final long startNs = System.nanoTime();
            for (int i = 0; i < count; i++) {
                pair.client.sendSlot(i % 2).putInt(0, i).putInt(length - 4, ~i);
                pair.client.send(i % 2, length);
                assertReceived(pair.server, i, length, pair.server.sendSlot(i % 2)::put);
                pair.server.send(i % 2, length);
                assertReceived(pair.client, i, length, each -> {});
            }
            System.out.printf("raw echo %d B: %.1f us%n", length, (System.nanoTime() - startNs) / 1e3 / count);
        }
    }

    @ParameterizedTest
    @CsvSource({"64,16,2000", "4096,16,2000", "4096,16,2000", "4096,64,1000"})
    void shouldKeepOrderWhenMessagesArePipelined(final int length, final int outstanding, final int count)
            throws Exception {
        try (RawPair pair = new RawPair(any(), outstanding, length)) {
            final Echo echo = new Echo(pair, length, count);
            final long startNs = System.nanoTime();
            echo.run();
            System.out.printf(
                    "raw pipelined %d B, %d outstanding: %.1f us a message%n",
                    length, outstanding, (System.nanoTime() - startNs) / 1e3 / count);
        }
    }

    /**
     * The retries that a client connects with are those of the server's sends, and DiSNI's default is none: with the
     * default the server fails as soon as one message comes before its receive, as happens when many are on their way.
     */
    @Test
    void shouldFailTheServersSendWhenTheClientConnectedWithoutRetriesAndHasNoReceive() throws Exception {
        try (RawPair pair = new RawPair(any(), 2, 64, new RdmaConnParam())) {
            pair.server.send(0, 64);

            pair.server.pollSome();

            assertThat(pair.server.found[0].getStatus()).isEqualTo(NO_RECEIVE);
        }
    }

    @Test
    void shouldWaitForTheReceiveWhenTheClientConnectedWithRetries() throws Exception {
        try (RawPair pair = new RawPair(any(), 2, 64, RawEnd.parameters())) {
            pair.server.send(0, 64);
            assertThat(pair.server.poll()).isZero();

            pair.client.receiveAll();

            assertThat(pair.client.pollSome()).isOne();
            assertThat(pair.server.pollSome()).isOne();
            assertThat(pair.server.found[0].getStatus()).isZero();
        }
    }

    @Test
    void shouldReadThePeersMemoryWhenItWasRegisteredForThat() throws Exception {
        final int length = 64 * 1024;
        try (RawPair pair = new RawPair(any(), 1, length)) {
            for (int i = 0; i < length / 4; i++) {
                pair.server.sendSlot(0).putInt(4 * i, i * 31);
            }
            final SVCPostSend read = prepareRead(pair.client, pair.server.region.getAddr(), length, pair);

            read.execute();

            assertThat(pair.client.pollSome()).isOne();
            assertThat(pair.client.found[0].getStatus()).isZero();
            assertThat(pair.client.receiveSlot(0)).isEqualTo(pair.server.sendSlot(0));
            read.free();
        }
    }

    @Test
    void shouldFailTheReadWhenTheKeyIsWrong() throws Exception {
        try (RawPair pair = new RawPair(any(), 1, 4096)) {
            final SVCPostSend read = prepareRead(pair.client, pair.server.region.getAddr(), 4096, pair);
            read.getWrMod(0).getRdmaMod().setRkey(pair.server.region.getRkey() ^ 0x5A00);

            read.execute();

            pair.client.pollSome();
            assertThat(pair.client.found[0].getStatus()).isEqualTo(REMOTE_ACCESS_ERROR);
            read.free();
        }
    }

    @Test
    void shouldNotifyTheClientWhenTheServerRefuses() throws Exception {
        final RdmaEventChannel serverEvents = RdmaEventChannel.createEventChannel();
        final RdmaEventChannel clientEvents = RdmaEventChannel.createEventChannel();
        final RdmaCmId listener = RawPair.listen(serverEvents, any());
        try (RawEnd client =
                new RawEnd(RawPair.resolve(clientEvents, (InetSocketAddress) listener.getSource()), 1, 64)) {
            client.id.connect(RawEnd.parameters());
            // DiSNI has no call to refuse; the kernel refuses what ends without an answer.
            RawEnd.await(serverEvents, EventType.RDMA_CM_EVENT_CONNECT_REQUEST)
                    .getConnIdPriv()
                    .destroyId();

            RawEnd.await(clientEvents, EventType.RDMA_CM_EVENT_REJECTED);
        }
        listener.destroyId();
        clientEvents.destroyEventChannel();
        serverEvents.destroyEventChannel();
    }

    @Test
    void shouldNotifyTheClientWhenNobodyListens() throws Exception {
        final RdmaEventChannel events = RdmaEventChannel.createEventChannel();
        try (RawEnd client = new RawEnd(RawPair.resolve(events, new InetSocketAddress(Guest.ADDRESS, 1)), 1, 64)) {
            client.id.connect(RawEnd.parameters());

            RawEnd.await(events, EventType.RDMA_CM_EVENT_REJECTED);
        }
        events.destroyEventChannel();
    }

    @Test
    void shouldFlushReceivesWhenThePeersProcessIsKilled() throws Exception {
        final RdmaEventChannel events = RdmaEventChannel.createEventChannel();
        final RdmaCmId listener = RawPair.listen(events, any());
        final int port = ((InetSocketAddress) listener.getSource()).getPort();
        final Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Victim.class.getName(),
                        Guest.ADDRESS,
                        String.valueOf(port))
                .inheritIO()
                .start();
        try (RawEnd server = new RawEnd(
                RawEnd.await(events, EventType.RDMA_CM_EVENT_CONNECT_REQUEST).getConnIdPriv(), 4, 64)) {
            server.receiveAll();
            server.id.accept(RawEnd.parameters());
            RawEnd.await(events, EventType.RDMA_CM_EVENT_ESTABLISHED);
            assertThat(server.pollSome()).isOne();

            process.destroyForcibly();

            RawEnd.await(events, EventType.RDMA_CM_EVENT_DISCONNECTED);
            server.id.disconnect();
            int flushed = 0;
            while (flushed < 3) {
                final int count = server.pollSome();
                for (int i = 0; i < count; i++) {
                    assertThat(server.found[i].getStatus()).isEqualTo(FLUSHED);
                }
                flushed += count;
            }
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        listener.destroyId();
        events.destroyEventChannel();
    }

    @Test
    void shouldWaitForCompletionsWhenAskedTo() throws Exception {
        try (RawPair pair = new RawPair(any(), 2, 64)) {
            pair.server.queue.reqNotification(false).execute().free();
            assertThat(pair.server.channel.getCqEvent(pair.server.queue, 20)).isFalse();

            pair.client.send(0, 64);

            assertThat(pair.server.channel.getCqEvent(pair.server.queue, RawEnd.EVENT_TIMEOUT_MS))
                    .isTrue();
            pair.server.queue.ackEvents(1);
            assertThat(pair.server.pollSome()).isOne();
            assertThat(pair.serverEvents.getCmEvent(20)).isNull();
        }
    }

    private static InetSocketAddress any() {
        return new InetSocketAddress(Guest.ADDRESS, 0);
    }

    @SuppressWarnings("JdkObsolete") // DiSNI takes no other list.
    private static SVCPostSend prepareRead(
            final RawEnd client, final long address, final int length, final RawPair pair) throws IOException {
        final IbvSendWR request = new IbvSendWR();
        request.setOpcode(IbvSendWR.IBV_WR_RDMA_READ);
        request.setSend_flags(IbvSendWR.IBV_SEND_SIGNALED);
        request.setNum_sge(1);
        request.setSg_list(new LinkedList<>(List.of(client.piece(client.slotCount * client.slotLength, length))));
        request.getRdma().setRemote_addr(address);
        request.getRdma().setRkey(pair.server.region.getRkey());
        return client.pair.postSend(List.of(request), null);
    }

    /** Waits for one message among completions of sends, looks at it, and posts its receive again. */
    private static void assertReceived(
            final RawEnd end,
            final int number,
            final int length,
            final java.util.function.Consumer<java.nio.ByteBuffer> copy)
            throws IOException {
        boolean isReceived = false;
        while (!isReceived) {
            final int count = end.pollSome();
            for (int i = 0; i < count; i++) {
                assertThat(end.found[i].getStatus()).isZero();
                if (end.found[i].getOpcode() != SEND_COMPLETED) {
                    final int slot = (int) end.found[i].getWr_id();
                    assertThat(end.found[i].getByte_len()).isEqualTo(length);
                    assertThat(end.receiveSlot(slot).getInt(0)).isEqualTo(number);
                    assertThat(end.receiveSlot(slot).getInt(length - 4)).isEqualTo(~number);
                    copy.accept(end.receiveSlot(slot));
                    end.receive(slot);
                    isReceived = true;
                }
            }
        }
    }

    /** Connects, sends one message, and stays until it is killed. */
    static final class Victim {
        private Victim() {}

        public static void main(final String... arguments) throws Exception {
            assertThat(InternalPackages.export("sun.nio.ch", Victim.class.getModule()))
                    .isTrue();
            DisniLibrary.load();
            final RdmaEventChannel events = RdmaEventChannel.createEventChannel();
            final InetSocketAddress peer = new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1]));
            final RawEnd end = new RawEnd(RawPair.resolve(events, peer), 1, 64);
            end.id.connect(RawEnd.parameters());
            RawEnd.await(events, EventType.RDMA_CM_EVENT_ESTABLISHED);
            end.send(0, 64);
            Thread.sleep(60_000);
        }
    }
}
