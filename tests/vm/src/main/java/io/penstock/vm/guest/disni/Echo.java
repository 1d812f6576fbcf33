package io.penstock.vm.guest.disni;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.disni.verbs.IbvWC;
import java.io.IOException;

/**
 * As many messages on their way as there are slots: the client sends whenever a slot is free, the server sends each back,
 * the client checks their order. A slot is free again when its message has come back and its send has completed.
 */
final class Echo {
    private static final int SEND_COMPLETED = IbvWC.IbvWcOpcode.IBV_WC_SEND.getOpcode();

    private final RawPair pair;
    private final int length;
    private final int count;
    private int sent;
    private int sendsCompleted;
    private int received;
    private int serverReceived;
    private int serverSent;
    private int serverSendsCompleted;

    Echo(final RawPair pair, final int length, final int count) {
        this.pair = pair;
        this.length = length;
        this.count = count;
    }

    void run() throws IOException {
        final long deadlineNs = System.nanoTime() + 60_000_000_000L;
        while (received < count) {
            send();
            serve();
            hear();
            assertThat(System.nanoTime())
                    .as("time, with %d of %d back", received, count)
                    .isLessThan(deadlineNs);
        }
    }

    private void send() throws IOException {
        final int slotCount = pair.client.slotCount;
        while (sent < count && sent - received < slotCount && sent - sendsCompleted < slotCount) {
            final int slot = sent % slotCount;
            pair.client.sendSlot(slot).putInt(0, sent).putInt(length - 4, ~sent);
            pair.client.send(slot, length);
            sent++;
        }
    }

    private void serve() throws IOException {
        final RawEnd server = pair.server;
        final int found = server.poll();
        for (int i = 0; i < found; i++) {
            final IbvWC completion = server.found[i];
            assertThat(completion.getStatus()).as("server").isZero();
            if (completion.getOpcode() == SEND_COMPLETED) {
                serverSendsCompleted++;
            } else {
                assertThat(completion.getWr_id()).isEqualTo(serverReceived % server.slotCount);
                serverReceived++;
            }
        }
        while (serverSent < serverReceived && serverSent - serverSendsCompleted < server.slotCount) {
            final int slot = serverSent % server.slotCount;
            server.sendSlot(slot).put(server.receiveSlot(slot));
            server.receive(slot);
            server.send(slot, length);
            serverSent++;
        }
    }

    private void hear() throws IOException {
        final RawEnd client = pair.client;
        final int found = client.poll();
        for (int i = 0; i < found; i++) {
            final IbvWC completion = client.found[i];
            assertThat(completion.getStatus()).as("client").isZero();
            if (completion.getOpcode() == SEND_COMPLETED) {
                sendsCompleted++;
                continue;
            }
            final int slot = (int) completion.getWr_id();
            assertThat(slot).isEqualTo(received % client.slotCount);
            assertThat(client.receiveSlot(slot).getInt(0)).isEqualTo(received);
            assertThat(client.receiveSlot(slot).getInt(length - 4)).isEqualTo(~received);
            client.receive(slot);
            received++;
        }
    }
}
