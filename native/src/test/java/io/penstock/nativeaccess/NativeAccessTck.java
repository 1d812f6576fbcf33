package io.penstock.nativeaccess;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every binding of the native library has to do. Sockets are in {@link NativeSocketTck}. */
@Timeout(30)
abstract class NativeAccessTck {
    static final int EPERM = 1;
    static final int EBADF = 9;
    static final int EAGAIN = 11;
    static final int ENOMEM = 12;
    static final int EINVAL = 22;
    static final int ENOSYS = 38;
    static final int ETIMEDOUT = 110;
    static final int NO_FD = 1_000_000;

    private static final long WARM_UP_NS = TimeUnit.SECONDS.toNanos(20);
    private static final int LENGTH = 64 * 1024;
    private static final int CALL_COUNT = 100_000;

    final List<Integer> descriptors = new ArrayList<>();
    NativeAccess access;

    private final List<Long> mappings = new ArrayList<>();

    abstract Binding binding();

    @BeforeEach
    void bind() {
        assumeTrue(NativeLibrary.get().isAvailable(), () -> NativeLibrary.get().report());
        // For Agrona's buffers.
        assertThat(InternalPackages.export("jdk.internal.misc", NativeAccessTck.class.getModule()))
                .isTrue();
        access = NativeLibrary.bind(binding());
        assertThat(access.binding()).isEqualTo(binding());
    }

    @AfterEach
    void release() {
        mappings.forEach(each -> assertThat(access.memoryUnmap(each, LENGTH)).isZero());
        descriptors.forEach(each -> assertThat(access.descriptorClose(each)).isZero());
    }

    @Test
    void shouldPassArgumentsAsTheyAreWhenCalled() {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        for (int i = 0; i < 1000; i++) {
            final long first = random.nextLong();
            final long second = random.nextLong();
            final long third = random.nextLong();

            assertThat(access.probe(first, second, third))
                    .as("seed %d", seed)
                    .isEqualTo(first + 3 * second + 5 * third);
        }
        assertThat(access.version()).isEqualTo(NativeAccess.VERSION);
    }

    @Test
    void shouldAllocateNothingWhenCalledOften() {
        final long address = map(-1, 0);
        final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        // How many calls it takes until they are compiled depends on what else the machine does.
        final long deadlineNs = System.nanoTime() + WARM_UP_NS;
        long allocated;
        do {
            final long before = threads.getCurrentThreadAllocatedBytes();
            callOften(address);
            allocated = threads.getCurrentThreadAllocatedBytes() - before;
        } while (allocated >= CALL_COUNT / 10 && System.nanoTime() - deadlineNs < 0);

        assertThat(allocated).isLessThan(CALL_COUNT / 10);
    }

    @Test
    void shouldGiveTheSystemsTextWhenAResultIsNegative() {
        assertThat(NativeErrors.text(access, -EBADF)).isEqualTo("Bad file descriptor (errno 9)");
        assertThat(NativeErrors.text(access, -4000)).endsWith(" (errno 4000)");
    }

    @Test
    void shouldShareAndKeepApartWhenAFileIsMappedTwice() {
        final int fd = file(NativeAccess.MEMORY_FILE_SEALED);
        final UnsafeBuffer one = memory(map(fd, NativeAccess.MEMORY_SHARED | NativeAccess.MEMORY_POPULATED));
        final UnsafeBuffer other = memory(map(fd, NativeAccess.MEMORY_SHARED));
        final UnsafeBuffer own = memory(map(fd, 0));

        one.putLong(LENGTH - 8, 42);
        own.putLong(LENGTH - 8, 43);

        assertThat(other.getLong(LENGTH - 8)).isEqualTo(42);
        assertThat(Path.of("/proc/self/fd/" + fd))
                .satisfies(link ->
                        assertThat(Files.readSymbolicLink(link).toString()).contains("memfd:tck"));
    }

    @Test
    void shouldRefuseMemoryWhenThereIsNoFileOrNotAsMuch() {
        assertThat(access.memoryMap(NO_FD, LENGTH, 0)).isEqualTo(-EBADF);
        assertThat(access.memoryMap(-1, Long.MAX_VALUE, 0)).isEqualTo(-ENOMEM);
        assertThat(access.memoryMap(-1, 1L << 62, NativeAccess.MEMORY_POPULATED))
                .isEqualTo(-ENOMEM);
        assertThat(access.memoryMap(-1, 0, 0)).isEqualTo(-EINVAL);
        assertThat(access.memoryMap(-1, LENGTH, 1 << 30)).isEqualTo(-EINVAL);
        assertThat(access.memoryUnmap(1, LENGTH)).isEqualTo(-EINVAL);
        assertThat(access.memoryFile(text("tck").addressOffset(), -1, 0)).isEqualTo(-EINVAL);
    }

    @Test
    void shouldNameTheLimitWhenMemoryCannotBeLocked() throws Exception {
        final long address = map(-1, 0);
        LockedMemory.lock(access, address, 4096);
        assertThat(access.memoryUnlock(address, 4096)).isZero();
        final long gone = access.memoryMap(-1, LENGTH, 0);
        assertThat(access.memoryUnmap(gone, LENGTH)).isZero();

        final long limit = access.memoryLockLimit();
        assertThatThrownBy(() -> LockedMemory.lock(access, gone, LENGTH))
                .hasMessageStartingWith("memory: cannot be locked: 65536 bytes: Cannot allocate memory (errno 12) (")
                .hasMessageContaining(limit == Long.MAX_VALUE ? "no limit" : "RLIMIT_MEMLOCK is " + limit);
    }

    @Test
    void shouldAdviseHugePagesWhenAsked() {
        final int length = 4 * 1024 * 1024;
        final long address = access.memoryMap(-1, length, NativeAccess.MEMORY_HUGE_PAGES);
        assumeTrue(address != -EINVAL, "the kernel has no transparent huge pages");

        assertThat(address).isPositive();
        assertThat(access.memoryAdviseHuge(address, length)).isZero();
        assertThat(access.memoryAdviseHuge(address + 1, length)).isEqualTo(-EINVAL);
        assertThat(access.memoryUnmap(address, length)).isZero();
    }

    @Test
    void shouldPlaceMemoryOrRefuseWhenANodeIsNamed() {
        final long address = map(-1, NativeAccess.MEMORY_POPULATED);
        assertThat(access.nodeCount()).isPositive();
        assertThat(access.memoryPlace(address, LENGTH, -1)).isEqualTo(-EINVAL);

        final int placed = access.memoryPlace(address, LENGTH, 0);

        assumeTrue(placed != -EPERM && placed != -ENOSYS, "this container or kernel does not place memory");
        assertThat(placed).isZero();
        assertThat(access.memoryNode(address)).isZero();
        assertThat(access.memoryPlace(address, LENGTH, 1000)).isEqualTo(-EINVAL);
    }

    @Test
    void shouldRunOnOneCpuOnlyWhenPinned() throws Exception {
        final CpuAffinity affinity = new CpuAffinity(access);
        final List<Integer> available = affinity.available();
        final int last = available.get(available.size() - 1);

        final String status = CompletableFuture.supplyAsync(
                        () -> {
                            affinity.pin(last);
                            assertThat(affinity.available()).containsExactly(last);
                            assertThat(access.cpuCurrent()).isEqualTo(last);
                            return read("/proc/self/task/" + affinity.threadId() + "/status");
                        },
                        task -> new Thread(task).start())
                .get();

        assertThat(status).containsPattern("(?m)^Cpus_allowed_list:\\s*" + last + "$");
        assertThat(affinity.available()).isEqualTo(available);
        assertThatThrownBy(() -> affinity.pin(8191))
                .hasMessage("cpu: cannot be had: 8191: Invalid argument (errno 22)");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, NativeAccess.FUTEX_SHARED})
    void shouldWakeAnotherThreadWhenItWaits(final int flags) throws Exception {
        final long address = map(-1, NativeAccess.MEMORY_SHARED);
        final CompletableFuture<Integer> waiter = CompletableFuture.supplyAsync(
                () -> access.futexWait(address, 0, -1, flags), task -> new Thread(task).start());
        // A thread that waits in a call does not hold up the collector.
        System.gc();
        int woken = 0;
        while (woken == 0 && !waiter.isDone()) {
            woken = access.futexWake(address, Integer.MAX_VALUE, flags);
        }

        assertThat(woken).isEqualTo(1);
        assertThat(waiter.get(10, TimeUnit.SECONDS)).isZero();
    }

    @Test
    void shouldNotWaitLongerThanAskedWhenNobodyWakes() {
        final long address = map(-1, 0);
        final long startNs = System.nanoTime();

        assertThat(access.futexWait(address, 0, 5_000_000, 0)).isEqualTo(-ETIMEDOUT);

        assertThat(System.nanoTime() - startNs).isGreaterThanOrEqualTo(5_000_000);
        assertThat(access.futexWait(address, 1, -1, 0)).isEqualTo(-EAGAIN);
        assertThat(access.futexWait(address + 1, 0, 0, 0)).isEqualTo(-EINVAL);
        assertThat(access.futexWake(address, 1, 0)).isZero();
        assertThat(access.futexWake(address, -1, 0)).isEqualTo(-EINVAL);
    }

    @Test
    void shouldReportWhichOfSeveralWordsWasWoken() throws Exception {
        final long first = map(-1, NativeAccess.MEMORY_SHARED);
        final long second = map(-1, 0);
        final long array = map(-1, 0);
        memory(array).putLong(0, first);
        memory(array).putLong(Long.BYTES, second);
        assertThat(access.futexWaitAny(array, 2, 5_000_000)).isEqualTo(-ETIMEDOUT);
        assertThat(access.futexWaitAny(array, 0, 0)).isEqualTo(-EINVAL);
        assertThat(access.futexWaitAny(array, NativeAccess.FUTEX_WORDS_MAX + 1, 0))
                .isEqualTo(-EINVAL);

        final CompletableFuture<Integer> waiter = CompletableFuture.supplyAsync(
                () -> access.futexWaitAny(array, 2, -1), task -> new Thread(task).start());
        System.gc();
        int woken = 0;
        while (woken == 0 && !waiter.isDone()) {
            woken = access.futexWake(second, 1, NativeAccess.FUTEX_SHARED);
        }

        assertThat(woken).isEqualTo(1);
        assertThat(waiter.get(10, TimeUnit.SECONDS)).isEqualTo(1);
        memory(first).putInt(0, 1);
        assertThat(access.futexWaitAny(array, 2, -1)).isEqualTo(-EAGAIN);
    }

    @Test
    void shouldReportThatAProcessEndedWhenItIsWatched() throws Exception {
        final Process process = new ProcessBuilder("cat").start();
        final int fd = access.processOpen((int) process.pid());
        assertThat(fd).isNotNegative();
        descriptors.add(fd);
        assertThat(access.processWait(fd, 1_000_000)).isZero();

        process.getOutputStream().close();

        assertThat(access.processWait(fd, -1)).isEqualTo(1);
        process.waitFor();
        assertThat(access.processOpen((int) process.pid())).isEqualTo(-3);
        assertThat(access.processWait(NO_FD, 0)).isEqualTo(-EBADF);
    }

    @Test
    void shouldRefuseWhenADescriptorIsNotOpen() {
        assertThat(access.descriptorClose(NO_FD)).isEqualTo(-EBADF);
    }

    /** A zero-terminated text. */
    static UnsafeBuffer text(final String text) {
        final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(text.length() + 1));
        buffer.putBytes(0, text.getBytes(US_ASCII));
        return buffer;
    }

    private void callOften(final long address) {
        long sum = 0;
        for (int i = 0; i < CALL_COUNT; i++) {
            sum += access.probe(i, sum, address);
            sum += access.futexWake(address, 1, 0);
        }
        assertThat(sum).isNotZero();
    }

    private int file(final int flags) {
        final int fd = access.memoryFile(text("tck").addressOffset(), LENGTH, flags);
        assertThat(fd).isNotNegative();
        descriptors.add(fd);
        return fd;
    }

    private long map(final int fd, final int flags) {
        final long address = access.memoryMap(fd, LENGTH, flags);
        assertThat(address).isPositive();
        mappings.add(address);
        return address;
    }

    private static UnsafeBuffer memory(final long address) {
        return new UnsafeBuffer(address, LENGTH);
    }

    private static String read(final String path) {
        try {
            return Files.readString(Path.of(path));
        } catch (final java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
