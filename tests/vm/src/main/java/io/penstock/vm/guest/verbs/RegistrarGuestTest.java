package io.penstock.vm.guest.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.transport.rdma.MemoryRegistrar;
import io.penstock.transport.rdma.RegisteredMemory;
import io.penstock.transport.rdma.disni.DisniVerbsProvider;
import io.penstock.transport.rdma.verbs.VerbsDevice;
import io.penstock.vm.Guest;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * Registering for each producer on its own, on a real device: 240 producers with 3 buffers of 8 MiB each are 5.8 GB, which
 * no machine would pin for them; a budget ends it early, and one piece of memory for all needs one registration.
 */
public class RegistrarGuestTest {
    private static final int PRODUCER_COUNT = 240;
    private static final int BUFFERS_EACH = 3;
    private static final int BUFFER_LENGTH = 8 * 1024 * 1024;
    private static final int FITTING = 8;
    private static final long BUDGET_LENGTH = (long) FITTING * BUFFER_LENGTH;
    private static final int PAGE_LENGTH = 4096;

    @Test
    void shouldRefuseBeyondTheBudgetWhenEachProducerRegistersItsOwn() throws IOException {
        try (VerbsPair pair = connected()) {
            final MemoryRegistrar registrar = registrar(pair);
            final ArrayDeque<RegisteredMemory> registered = new ArrayDeque<>();
            final ArrayDeque<UnsafeBuffer> spare = new ArrayDeque<>();
            int refused = 0;
            String reason = "";
            for (int i = 0; i < PRODUCER_COUNT * BUFFERS_EACH; i++) {
                final UnsafeBuffer buffer = spare.isEmpty() ? buffer(BUFFER_LENGTH) : spare.remove();
                try {
                    registered.add(registrar.register(buffer.addressOffset(), BUFFER_LENGTH, VerbsDevice.REMOTE_READ));
                } catch (final IOException e) {
                    refused++;
                    reason = String.valueOf(e.getMessage());
                    spare.add(buffer);
                }
            }

            assertThat(registered).hasSize(FITTING);
            assertThat(refused).isEqualTo(PRODUCER_COUNT * BUFFERS_EACH - FITTING);
            assertThat(registrar.registeredLength()).isEqualTo(BUDGET_LENGTH);
            assertThat(registrar.registrationCount()).isEqualTo(FITTING);
            assertThat(registrar.refusedCount()).isEqualTo(refused);
            assertThat(reason)
                    .contains(BUFFER_LENGTH + " bytes")
                    .contains(BUDGET_LENGTH + " of " + BUDGET_LENGTH)
                    .contains("penstock.rdma.memory");
            registered.remove().close();
            registered.add(registrar.register(spare.remove().addressOffset(), BUFFER_LENGTH, 0));
            registered.forEach(RegisteredMemory::close);
            assertThat(registrar.registeredLength()).isZero();
        }
    }

    @Test
    void shouldRegisterOnceWhenAllProducersHaveTheirPartsOfOneMemory() throws IOException {
        try (VerbsPair pair = connected()) {
            final MemoryRegistrar registrar = registrar(pair);
            final UnsafeBuffer memory = buffer(BUFFER_LENGTH);
            final int partLength = BUFFER_LENGTH / (PRODUCER_COUNT * BUFFERS_EACH) / PAGE_LENGTH * PAGE_LENGTH;
            final RegisteredMemory whole = registrar.register(memory.addressOffset(), BUFFER_LENGTH, 0);
            final List<RegisteredMemory> parts = new ArrayList<>();
            for (int i = 0; i < PRODUCER_COUNT * BUFFERS_EACH; i++) {
                parts.add(registrar.register(memory.addressOffset() + (long) i * partLength, partLength, 0));
            }

            assertThat(registrar.registrationCount()).isOne();
            assertThat(registrar.sharedCount()).isEqualTo(PRODUCER_COUNT * BUFFERS_EACH);
            assertThat(registrar.registeredLength()).isEqualTo(BUFFER_LENGTH);
            assertThat(parts).allMatch(each -> each.localKey() == whole.localKey());
            whole.close();
            parts.forEach(RegisteredMemory::close);
            assertThat(registrar.deregistrationCount()).isOne();
        }
    }

    @Test
    void shouldSayWhyWhenTheSystemRefuses() throws IOException {
        try (VerbsPair pair = connected()) {
            final MemoryRegistrar registrar = registrar(pair);

            assertThatThrownBy(() -> registrar.register(PAGE_LENGTH, PAGE_LENGTH, VerbsDevice.REMOTE_WRITE))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot be registered with " + Guest.DEVICE + ": 4096 bytes: ")
                    .hasMessageContaining("(errno ");
            assertThat(registrar.registeredLength()).isZero();
        }
    }

    private static VerbsPair connected() throws IOException {
        return new VerbsPair(new DisniVerbsProvider(), new InetSocketAddress(Guest.ADDRESS, 0)).connected();
    }

    private static MemoryRegistrar registrar(final VerbsPair pair) {
        return new MemoryRegistrar(pair.clientSide.endpoint().device(), BUDGET_LENGTH, () -> Long.MAX_VALUE);
    }

    private static UnsafeBuffer buffer(final int length) {
        return new UnsafeBuffer(BufferUtil.allocateDirectAligned(length, PAGE_LENGTH));
    }
}
