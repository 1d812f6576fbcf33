package io.penstock.broker.shard.replica;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.DirectBuffer;

/**
 * An order of commands that a test drives, for several nodes: it decides late, loses what is not decided, takes what comes again,
 * and has times that fall when another node leads. The same seed does the same.
 */
final class ModelLog {
    private static final int TAKEN_MAX = 64;

    private final List<Decided> decided = new ArrayList<>();
    private final ArrayDeque<byte[]> taken = new ArrayDeque<>();
    private final Random random;
    private final int memberCount;
    private long generation = 1;
    private long timeNs = 1_000_000_000_000L;
    private long skewNs;
    private int leader;
    private int repeatedCount;

    /** Whether everything is taken and decided, and nothing is lost. */
    private boolean isCalm;

    ModelLog(final Random random, final int memberCount) {
        this.random = random;
        this.memberCount = memberCount;
    }

    /** A command that is decided. */
    static final class Decided {
        private final long timeNs;
        private final byte[] bytes;

        Decided(final long timeNs, final byte[] bytes) {
            this.timeNs = timeNs;
            this.bytes = bytes;
        }

        long timeNs() {
            return timeNs;
        }

        byte[] bytes() {
            return bytes;
        }
    }

    /** From now on nothing goes wrong. */
    void calm() {
        isCalm = true;
    }

    long timeNs() {
        return timeNs;
    }

    long generation() {
        return generation;
    }

    int leader() {
        return leader;
    }

    int size() {
        return decided.size();
    }

    /** Commands that were decided again. */
    int repeatedCount() {
        return repeatedCount;
    }

    Decided get(final int index) {
        return decided.get(index);
    }

    boolean isEmpty() {
        return taken.isEmpty();
    }

    boolean offer(final DirectBuffer buffer, final int offset, final int length) {
        if (!isCalm && (taken.size() >= TAKEN_MAX || random.nextInt(10) == 0)) {
            return false;
        }
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        taken.add(bytes);
        return true;
    }

    /** Time passes, and some of what was taken is decided, or lost. */
    void step() {
        timeNs += 1 + random.nextInt(20_000_000);
        final int chance = isCalm ? 0 : random.nextInt(40);
        if (chance == 39) {
            changeTerm();
        } else if (chance == 38) {
            // Nobody is told.
            taken.clear();
        } else if (chance == 37 && !decided.isEmpty()) {
            repeatedCount++;
            decide(decided.get(random.nextInt(decided.size())).bytes);
        } else {
            for (int left = isCalm ? taken.size() : random.nextInt(8); left > 0 && !taken.isEmpty(); left--) {
                decide(taken.remove());
            }
        }
    }

    /** Another node leads: what its log has of the commands that are not decided is decided, and the rest is lost. */
    private void changeTerm() {
        final int kept = random.nextInt(taken.size() + 1);
        for (int i = 0; i < kept; i++) {
            decide(taken.remove());
        }
        if (random.nextBoolean()) {
            taken.clear();
        }
        generation++;
        leader = random.nextInt(memberCount);
        skewNs = random.nextInt(200_000_000) - 100_000_000L;
    }

    private void decide(final byte[] bytes) {
        decided.add(new Decided(timeNs + skewNs, bytes));
    }
}
