package io.penstock.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.storage.DiskStorage;
import io.penstock.broker.storage.Storage;
import io.penstock.client.LogPlace;
import io.penstock.client.ReplayRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every file of a killed broker's directory, in every way that it may be spoilt: a broker starts with all that was
 * acknowledged, or refuses and names a file. It never starts with less.
 */
@Timeout(3600)
class DirectorySweepTest {
    private static final long SEED = Long.getLong("penstock.seed", 20_261_124L);

    /** Odd lengths that each file is cut to. The long form: {@code -Dpenstock.sweep=200}, which cuts at each block, too. */
    private static final int CUT_COUNT = Integer.getInteger("penstock.sweep", 6);

    private static final int FILE_LENGTH = 64 * 1024;
    private static final int BLOCK_LENGTH = 4096;
    private static final int COUNT = 1_500;

    /** Methods of a directory that need more of a file than to read it. */
    private static final Set<String> CHANGES =
            Set.of("openDirect", "rename", "delete", "move", "create", "createDirect");

    @TempDir
    Path folder;

    private Path directory = Path.of("");
    private List<Path> pristine = List.of();

    enum Spoil {
        REMOVED,
        EMPTIED,
        DOUBLED,
        A_DIRECTORY,
        UNREADABLE,
        READ_ONLY,
        SWAPPED
    }

    @BeforeEach
    void writeALog() throws IOException {
        final Path source = folder.resolve("source");
        final Path kept = folder.resolve("kept");
        try (TestBroker test = start(source, UnaryOperator.identity())) {
            final RawClient publisher = test.logOn("publisher");
            for (int i = 0; i < COUNT; i++) {
                test.publish(publisher, "t", "{\"n\":" + i + ",\"pad\":\"" + "x".repeat(80) + "\"}");
                if (i % 700 == 699) {
                    test.flush(publisher);
                    test.settle();
                    final long taken = test.broker.counter("snapshots");
                    test.broker.snapshot();
                    test.await(() -> test.broker.counter("snapshots") > taken);
                }
            }
            test.flush(publisher);
            test.settle();
            // As a kill leaves it: everything was acknowledged, and nothing is closed.
            copy(source, kept);
        }
        directory = kept;
        try (Stream<Path> files = Files.walk(kept)) {
            pristine = files.filter(Files::isRegularFile)
                    .map(kept::relativize)
                    .filter(file -> !file.toString().equals("penstock.lock"))
                    .sorted()
                    .toList();
        }
        assertThat(pristine).hasSizeGreaterThan(8);
    }

    @ParameterizedTest
    @EnumSource(Spoil.class)
    void shouldStartWithAllOrNameAFile(final Spoil spoil) throws IOException {
        final List<String> wrong = new ArrayList<>();
        for (final Path file : pristine) {
            final Path present = fresh();
            final Path spoilt = present.resolve(file);
            UnaryOperator<Storage> wrap = UnaryOperator.identity();
            switch (spoil) {
                case REMOVED -> Files.delete(spoilt);
                case EMPTIED -> Files.write(spoilt, new byte[0]);
                case DOUBLED -> {
                    final byte[] bytes = Files.readAllBytes(spoilt);
                    final byte[] twice = Arrays.copyOf(bytes, 2 * bytes.length);
                    System.arraycopy(bytes, 0, twice, bytes.length, bytes.length);
                    Files.write(spoilt, twice);
                }
                case A_DIRECTORY -> {
                    Files.delete(spoilt);
                    Files.createDirectory(spoilt);
                }
                case UNREADABLE -> wrap = storage -> denied(storage, spoilt, true);
                case READ_ONLY -> wrap = storage -> denied(storage, spoilt, false);
                case SWAPPED -> swap(spoilt, neighbour(present, file));
            }
            check(spoil + " " + file, present, wrap, wrong);
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void shouldStartWithAllOrNameAFileThatIsCut() throws IOException {
        final Random random = new Random(SEED);
        final List<String> wrong = new ArrayList<>();
        for (final Path file : pristine) {
            final int length = (int) Files.size(directory.resolve(file));
            final int blocks = CUT_COUNT >= 100 ? BLOCK_LENGTH : 4 * BLOCK_LENGTH;
            final List<Integer> cuts = new ArrayList<>();
            for (int cut = blocks; cut < length; cut += blocks) {
                cuts.add(cut);
            }
            for (int i = 0; i < CUT_COUNT && length > 1; i++) {
                cuts.add(Math.min(length - 1, random.nextInt(length) | 1));
            }
            for (final int cut : cuts) {
                final Path present = fresh();
                final Path spoilt = present.resolve(file);
                Files.write(spoilt, Arrays.copyOf(Files.readAllBytes(spoilt), cut));
                check("CUT to " + cut + " of " + length + " " + file, present, UnaryOperator.identity(), wrong);
            }
        }
        assertThat(wrong).isEmpty();
    }

    /** Starts a broker, and notes what is wrong with what it does. */
    private static void check(
            final String what, final Path present, final UnaryOperator<Storage> wrap, final List<String> wrong) {
        try (TestBroker test = start(present, wrap)) {
            test.takeErrors();
            final RawClient client = test.logOn("reader");
            client.subscribeFrom(2, 7, ReplayRequest.topic("t").from(LogPlace.OPEN));
            test.settle();
            final List<Integer> found = client.deliveries.stream()
                    .map(delivery -> new String(delivery.payload(), UTF_8))
                    .map(text -> Integer.valueOf(text.substring(5, text.indexOf(','))))
                    .toList();
            if (!found.equals(IntStream.range(0, COUNT).boxed().toList())) {
                wrong.add(what + ": started with " + found.size() + " of " + COUNT + " " + client.errors);
            }
            test.takeErrors();
        } catch (final UncheckedIOException e) {
            final String text = String.valueOf(e.getMessage());
            if (!text.contains(present.toString()) || text.contains("multiple of the block size")) {
                wrong.add(what + ": refused with: " + text);
            }
        } catch (final RuntimeException | AssertionError e) {
            wrong.add(what + ": " + e);
        }
    }

    private static TestBroker start(final Path present, final UnaryOperator<Storage> wrap) {
        return new TestBroker(builder -> builder.journal(JournalConfig.in(present.toString())
                        .withFileLength(FILE_LENGTH)
                        .withOnSnapshotDamage(JournalConfig.OnSnapshotDamage.OLDER))
                .storage(path -> wrap.apply(DiskStorage.open(path)))
                .topic(TopicConfig.topic("t", "json")));
    }

    /** A directory in which one file cannot be opened, or not be changed; also for those who may do everything. */
    private static Storage denied(final Storage storage, final Path file, final boolean isUnreadable) {
        return (Storage) Proxy.newProxyInstance(
                Storage.class.getClassLoader(), new Class<?>[] {Storage.class}, (proxy, method, args) -> {
                    final String name = method.getName();
                    final boolean isFile = args != null
                            && args.length > 0
                            && storage.path(String.valueOf(args[0])).equals(file.toString());
                    final boolean isChange =
                            CHANGES.contains(name) || (name.equals("open") && Boolean.TRUE.equals(args[1]));
                    if (isFile && (isChange || (isUnreadable && name.equals("open")))) {
                        throw new AccessDeniedException(file.toString());
                    }
                    try {
                        final Object result = method.invoke(storage, args);
                        return name.equals("directory") && result != null
                                ? denied((Storage) result, file, isUnreadable)
                                : result;
                    } catch (final InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private @Nullable Path neighbour(final Path present, final Path file) {
        final String name = file.toString();
        final String kind = name.substring(name.lastIndexOf('.') + 1);
        final boolean isManifest = name.startsWith("manifest");
        Path before = null;
        for (final Path each : pristine) {
            if (!each.equals(file)
                    && (isManifest
                            ? each.toString().startsWith("manifest")
                            : each.toString().endsWith("." + kind))) {
                before = present.resolve(each);
            }
        }
        return before;
    }

    private static void swap(final Path file, final @Nullable Path other) throws IOException {
        if (other != null) {
            final byte[] bytes = Files.readAllBytes(file);
            Files.write(file, Files.readAllBytes(other));
            Files.write(other, bytes);
        }
    }

    /** The directory as it was left. */
    private Path fresh() throws IOException {
        final Path present = folder.resolve("present");
        if (Files.exists(present)) {
            try (Stream<Path> files = Files.walk(present)) {
                for (final Path file :
                        files.sorted((left, right) -> right.compareTo(left)).toList()) {
                    Files.delete(file);
                }
            }
        }
        copy(directory, present);
        return present;
    }

    private static void copy(final Path from, final Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (final Path file : files.toList()) {
                final Path target = to.resolve(from.relativize(file));
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
    }
}
