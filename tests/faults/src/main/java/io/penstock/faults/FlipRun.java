package io.penstock.faults;

import io.penstock.broker.Broker;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Changes single bits of the file of a small log, and cuts it at places. Reading has to name the damage, or to give just
 * what was written.
 */
final class FlipRun {
    private static final String WHAT = "flipped bits, cuts";
    private static final int FILE_LENGTH = 1024 * 1024;
    private static final long MESSAGES = 200;
    private static final int CUT_EACH = 512;

    private final Settings settings;
    private final Report report;
    private int noticed;
    private int harmless;

    FlipRun(final Settings settings, final Report report) {
        this.settings = settings;
        this.report = report;
    }

    void run() throws IOException, InterruptedException {
        final long startNs = System.nanoTime();
        final Path directory = Folders.fresh(settings.work().resolve("flip")).resolve("log");
        final Acknowledged acknowledged = write(directory);
        final Path file = directory.resolve("shard-0").resolve("0000000000000000001.log");
        final long recovered = LogContents.read(directory, Settings.PUBLISHER_COUNT)
                .compare(acknowledged)
                .recovered();
        final long used = usedLength(file);
        String wrong = recovered == 0 ? "the log is empty" : null;
        final Random random = new Random(settings.seed() + 2);
        for (int i = 0; i < settings.flipCount() && wrong == null; i++) {
            final long bit = random.nextLong(used * Byte.SIZE);
            flip(file, bit);
            wrong = check(directory, acknowledged, recovered, "bit " + bit + " changed");
            flip(file, bit);
        }
        int cuts = 0;
        final byte[] whole = Files.readAllBytes(file);
        for (long length = used - 1; length > 0 && wrong == null; length -= CUT_EACH) {
            try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
                bytes.setLength(length);
            }
            cuts++;
            wrong = check(directory, acknowledged, recovered, "cut to " + length + " bytes");
        }
        Files.write(file, whole);
        report.done(
                WHAT,
                settings.flipCount() + " bits, " + cuts + " cuts",
                String.format(
                        "of %,d messages; noticed %,d, harmless %,d, unnoticed %d",
                        recovered, noticed, harmless, wrong == null ? 0 : 1),
                wrong,
                System.nanoTime() - startNs);
    }

    /** Makes a log and closes it, so that all of it is known to be on the disk. */
    private static Acknowledged write(final Path directory) throws InterruptedException {
        final Acknowledged acknowledged = new Acknowledged(Settings.PUBLISHER_COUNT);
        try (Broker broker = Broker.launch(Guest.config(directory, "always"))) {
            try (Load load = Load.start(broker.endpoints().get(0).toString(), acknowledged, 16)) {
                while (acknowledged.count() < MESSAGES && load.refusal() == null) {
                    TimeUnit.MILLISECONDS.sleep(1);
                }
            }
        }
        return acknowledged;
    }

    /** Up to where there is anything but zeros. */
    private static long usedLength(final Path file) throws IOException {
        final byte[] bytes = Files.readAllBytes(file);
        int length = Math.min(bytes.length, FILE_LENGTH);
        while (length > 0 && bytes[length - 1] == 0) {
            length--;
        }
        return length;
    }

    private static void flip(final Path file, final long bit) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(bit / Byte.SIZE);
            final int value = bytes.read();
            bytes.seek(bit / Byte.SIZE);
            bytes.write(value ^ (1 << (int) (bit % Byte.SIZE)));
        }
    }

    private @Nullable String check(
            final Path directory, final Acknowledged acknowledged, final long recovered, final String done)
            throws IOException {
        final LogContents log = LogContents.read(directory, Settings.PUBLISHER_COUNT);
        final Tally tally = log.compare(acknowledged);
        if (log.damage() != null) {
            noticed++;
            return log.isAltered() ? done + ": " + log.damage() : null;
        }
        harmless++;
        return tally.isGood() && tally.recovered() == recovered ? null : done + ", and nothing was said: " + tally;
    }
}
