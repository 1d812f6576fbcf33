package io.penstock.transport.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.transport.rdma.verbs.VerbsDevice;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryRegistrarTest {
    private static final long MIB = 1024 * 1024;
    private static final long BASE = 1L << 32;

    private final FakeFabric device = new FakeFabric(1);
    private final MemoryRegistrar registrar = new MemoryRegistrar(device, 10 * MIB, () -> 8 * MIB);

    @Test
    void shouldAskTheDeviceOnceWhenTheSameMemoryIsRegisteredAgain() throws IOException {
        final RegisteredMemory whole = registrar.register(BASE, 4 * MIB, VerbsDevice.REMOTE_READ);
        final RegisteredMemory part = registrar.register(BASE + MIB, MIB, 0);

        assertThat(device.registrationCount()).isEqualTo(1);
        assertThat(part.localKey()).isEqualTo(whole.localKey());
        assertThat(part.address()).isEqualTo(BASE + MIB);
        assertThat(part.length()).isEqualTo(MIB);
        assertThat(registrar.registrationCount()).isEqualTo(1);
        assertThat(registrar.sharedCount()).isEqualTo(1);
        assertThat(registrar.registeredLength()).isEqualTo(4 * MIB);
    }

    @Test
    void shouldUnregisterWhenTheLastUserHasClosed() throws IOException {
        final RegisteredMemory first = registrar.register(BASE, MIB, 0);
        final RegisteredMemory second = registrar.register(BASE, MIB, 0);

        first.close();
        first.close();
        assertThat(registrar.registeredLength()).isEqualTo(MIB);
        assertThat(device.isRegistered(BASE, 1, second.localKey())).isTrue();
        second.close();

        assertThat(registrar.registeredLength()).isZero();
        assertThat(registrar.deregistrationCount()).isEqualTo(1);
        assertThat(device.isRegistered(BASE, 1, second.localKey())).isFalse();
    }

    @Test
    void shouldRefuseAndKeepWhatIsThereWhenTheBudgetIsUsedUp() throws IOException {
        final RegisteredMemory first = registrar.register(BASE, 9 * MIB, 0);

        assertThatThrownBy(() -> registrar.register(BASE + 16 * MIB, 2 * MIB, 0))
                .isInstanceOf(IOException.class)
                .hasMessage("memory: cannot be registered with fake: 2097152 bytes: the budget is used up: 9437184 of"
                        + " 10485760 bytes are registered (raise penstock.rdma.memory to 11534336 or more, or connect"
                        + " fewer)");

        assertThat(registrar.refusedCount()).isEqualTo(1);
        assertThat(registrar.registeredLength()).isEqualTo(9 * MIB);
        first.close();
        registrar.register(BASE + 16 * MIB, 10 * MIB, 0);
    }

    @Test
    void shouldNameTheLimitWhenTheSystemRefuses() {
        device.isOutOfMemory = true;

        assertThatThrownBy(() -> registrar.register(BASE, 9 * MIB, 0))
                .hasMessage("memory: cannot be registered with fake: 9437184 bytes: Cannot allocate memory (errno 12)"
                        + " (RLIMIT_MEMLOCK is 8388608 bytes, and 9437184 are needed so far, 10485760 for the whole"
                        + " budget: raise it with ulimit -l 10240, or with LimitMEMLOCK= in a systemd unit)");
        assertThat(registrar.registrationCount()).isZero();
    }

    @Test
    void shouldRefuseWhenAPartIsRegisteredOtherwise() throws IOException {
        registrar.register(BASE, MIB, 0);

        assertThatThrownBy(() -> registrar.register(BASE, MIB, VerbsDevice.REMOTE_WRITE))
                .hasMessageContaining("a part of it is registered already");
        assertThatThrownBy(() -> registrar.register(BASE - MIB, 2 * MIB, 0))
                .hasMessageContaining("a part of it is registered already");
        assertThatThrownBy(() -> registrar.register(BASE - MIB, 4 * MIB, 0))
                .hasMessageContaining("a part of it is registered already");
        registrar.register(BASE + MIB, MIB, 0);
        registrar.register(BASE - MIB, MIB, 0);
    }

    @Test
    void shouldStayWithinTheBudgetWhenManyProducersBringBuffersOfTheirOwn() {
        final MemoryRegistrar of256 = new MemoryRegistrar(device, 256 * MIB, () -> Long.MAX_VALUE);
        final List<RegisteredMemory> held = new ArrayList<>();
        int refusedCount = 0;
        for (int i = 0; i < 240 * 3; i++) {
            try {
                held.add(of256.register(BASE + i * 16L * MIB, 8 * MIB, 0));
            } catch (final IOException ignored) {
                refusedCount++;
            }
        }

        assertThat(held).hasSize(32);
        assertThat(refusedCount).isEqualTo(240 * 3 - 32);
        assertThat(of256.refusedCount()).isEqualTo(refusedCount);
        assertThat(of256.registeredLength()).isEqualTo(256 * MIB);
    }
}
