package io.penstock.vm.guest;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.nativeaccess.NativeAccess;
import io.penstock.nativeaccess.NativeLibrary;
import java.util.HashMap;
import java.util.Map;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory on a machine with two NUMA nodes lies where it was placed. */
public class NumaGuestTest {
    private static final int PAGE_LENGTH = 4096;
    private static final int PAGE_COUNT = 512;
    private static final long LENGTH = (long) PAGE_LENGTH * PAGE_COUNT;

    private final NativeAccess access = NativeLibrary.get().access();
    private long address;

    @AfterEach
    void unmap() {
        if (address > 0) {
            access.memoryUnmap(address, LENGTH);
        }
    }

    @Test
    void shouldFindTwoNodes() {
        assertThat(access.nodeCount()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldTakePagesOfTheNodeThatWasNamedBeforeTheyAreUsed(final int node) {
        address = access.memoryMap(-1, LENGTH, 0);

        assertThat(access.memoryPlace(address, LENGTH, node)).isZero();
        UnsafeApi.setMemory(address, LENGTH, (byte) 1);

        assertThat(nodes()).containsExactly(Map.entry(node, PAGE_COUNT));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldMovePagesToTheNodeThatIsNamedAfterTheyWereUsed(final int node) {
        address = access.memoryMap(-1, LENGTH, NativeAccess.MEMORY_POPULATED);
        assertThat(access.memoryPlace(address, LENGTH, 1 - node)).isZero();
        assertThat(nodes()).containsExactly(Map.entry(1 - node, PAGE_COUNT));
        UnsafeApi.setMemory(address, LENGTH, (byte) 7);

        assertThat(access.memoryPlace(address, LENGTH, node)).isZero();

        assertThat(nodes()).containsExactly(Map.entry(node, PAGE_COUNT));
        assertThat(UnsafeApi.getByte(address + LENGTH - 1)).isEqualTo((byte) 7);
    }

    @Test
    void shouldRefuseANodeThatIsNotThere() {
        address = access.memoryMap(-1, LENGTH, 0);

        assertThat(access.memoryPlace(address, LENGTH, 2)).isNegative();
    }

    /** How many pages each node has. */
    private Map<Integer, Integer> nodes() {
        final Map<Integer, Integer> counts = new HashMap<>();
        for (int page = 0; page < PAGE_COUNT; page++) {
            counts.merge(access.memoryNode(address + (long) page * PAGE_LENGTH), 1, Integer::sum);
        }
        return counts;
    }
}
