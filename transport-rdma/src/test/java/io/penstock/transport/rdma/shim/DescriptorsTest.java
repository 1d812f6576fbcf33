package io.penstock.transport.rdma.shim;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.nativeaccess.NativeAccess;
import io.penstock.nativeaccess.NativeLibrary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waiting on descriptors, one of which can always be read, as that of a device which was taken away. */
@Timeout(60)
class DescriptorsTest {
    private final NativeAccess access = NativeLibrary.get().access();
    private Descriptors descriptors;
    private int broken;
    private int good;

    @BeforeEach
    void open() throws IOException {
        descriptors = new Descriptors(access);
        broken = access.signalOpen();
        good = access.signalOpen();
        descriptors.add(broken);
        descriptors.add(good);
    }

    @AfterEach
    void close() {
        descriptors.close();
        access.descriptorClose(broken);
        access.descriptorClose(good);
    }

    @Test
    void shouldWaitOnTheOthersOnlyWhenOneIsBroken() {
        access.signalSet(broken);
        assertThat(descriptors.await(-1)).isTrue();
        assertThat(taken()).containsExactly(1);

        assertThat(descriptors.await(TimeUnit.MILLISECONDS.toNanos(20))).isFalse();
        assertThat(taken()).isEmpty();
        access.signalSet(good);
        assertThat(descriptors.await(-1)).isTrue();
        assertThat(taken()).containsExactly(2);
        assertThat(taken()).containsExactly(2);
        descriptors.wakeup();
        access.signalClear(good);
        assertThat(descriptors.await(-1)).isFalse();
    }

    private List<Integer> taken() {
        final List<Integer> taken = new ArrayList<>();
        descriptors.takeReady(index -> {
            taken.add(index);
            return index != 1;
        });
        return taken;
    }
}
