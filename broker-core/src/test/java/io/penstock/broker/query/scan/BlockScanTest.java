package io.penstock.broker.query.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.filter.condition.Accepted;
import io.penstock.broker.filter.value.Register;
import io.penstock.broker.filter.value.Truth;
import io.penstock.broker.filter.value.ValueTest;
import io.penstock.broker.filter.value.Work;
import io.penstock.broker.query.column.ColumnKind;
import io.penstock.broker.query.column.ColumnPart;
import io.penstock.broker.query.column.PartOfValues;
import io.penstock.broker.shard.store.StateStore;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rows whose values lie in a range, or whose texts are accepted, against looking at each value: values of all lengths and at
 * their ends, other kinds between them, few candidates and many, any words of a bitmap. {@code -Dpenstock.seeds} runs more seeds.
 */
class BlockScanTest {
    private static final int SEED_COUNT_DEFAULT = 12;
    private static final int RANGE_COUNT = 30;
    private static final int WORD_COUNT = ColumnPart.WORD_COUNT;

    /** Chances in 64 that a row is a candidate. */
    private static final int[] CHANCES = {0, 1, 2, 4, 8, 16, 32, 63, 64};

    private static final long STEPS_MAX = 1000;

    private final Register text = new Register();
    private final long[] candidates = new long[WORD_COUNT];
    private final long[] held = new long[WORD_COUNT];
    private final long[] unknown = new long[WORD_COUNT];
    private final RowsInRange ranges = new RowsInRange();

    @ParameterizedTest
    @CsvSource({"1, false", "1, true", "2, false", "2, true", "3, false", "3, true"})
    void shouldFindTheRowsInARangeWhenSomeOrAllOfABlockAreCandidates(final int shift, final boolean isMixed) {
        final int seedCount = Integer.getInteger("penstock.seeds", SEED_COUNT_DEFAULT);
        for (int seed = 0; seed < seedCount; seed++) {
            final Random random = new Random(seed);
            try (PartOfValues values = new PartOfValues()) {
                putNumbers(values, shift, isMixed, random);
                assertThat(values.part().shift()).isEqualTo(shift);
                for (int i = 0; i < RANGE_COUNT; i++) {
                    final long one = end(values.part(), random);
                    final long other = random.nextInt(4) == 0 ? one : end(values.part(), random);
                    assertRangeAgrees(
                            values.part(), Math.min(one, other), Math.max(one, other), random, "seed " + seed);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 64, 65, 3000})
    void shouldFindAcceptedTextsWhenSomeOrAllOfABlockAreCandidates(final int textCount) {
        final int seedCount = Integer.getInteger("penstock.seeds", SEED_COUNT_DEFAULT);
        for (int seed = 0; seed < seedCount; seed++) {
            final Random random = new Random(seed);
            try (PartOfValues values = new PartOfValues()) {
                putTexts(values, textCount, random);
                final Work work = new Work();
                final Answers answers = new Answers(random, work);
                final TextScan scan = new TextScan(
                        new TextAnswers(values.column().texts(), answers, Accepted.TRUE, work, STEPS_MAX), ranges);
                assertThat(scan.update(Integer.MAX_VALUE)).isTrue();
                for (int i = 0; i < RANGE_COUNT; i++) {
                    assertTextsAgree(values, scan, answers, random, "seed " + seed);
                }
            }
        }
    }

    /** Numbers that make values as long as wanted, at their ends too; between them texts and nulls if mixed. */
    private static void putNumbers(
            final PartOfValues values, final int shift, final boolean isMixed, final Random random) {
        values.putNumber(0, 0);
        values.putNumber(1, shift == 1 ? 1 : shift == 2 ? 100_000 : 1L << 40);
        final long least = shift == 3 ? -(1L << 50) : values.part().base();
        final long greatest = shift == 3 ? 1L << 50 : least + (1L << ((8 << shift) - 1)) - 1;
        values.putNumber(2, least);
        values.putNumber(3, greatest);
        if (shift == 3 && random.nextInt(4) == 0) {
            values.putNumber(2, Long.MIN_VALUE);
            values.putNumber(3, Long.MAX_VALUE);
        }
        final boolean areFew = random.nextBoolean();
        for (int row = 4; row < StateStore.BLOCK_LENGTH; row++) {
            if (isMixed && random.nextInt(3) == 0) {
                if (random.nextBoolean()) {
                    values.putNull(row);
                } else {
                    values.putText(row, "t" + random.nextInt(200));
                }
            } else {
                final long room = greatest - least + 1;
                values.putNumber(row, least + Math.floorMod(random.nextLong(), areFew ? 20 : room));
            }
        }
    }

    /** One end of a range of values as they are stored. */
    private static long end(final ColumnPart part, final Random random) {
        final long min = part.min() - part.base();
        final long max = part.max() - part.base();
        int row = random.nextInt(StateStore.BLOCK_LENGTH);
        while ((part.kind(ColumnKind.NUMBER, row / Long.SIZE) & 1L << row) == 0) {
            row = (row + 1) % StateStore.BLOCK_LENGTH;
        }
        return switch (random.nextInt(8)) {
            case 0 -> min;
            case 1 -> max;
            case 2 -> Math.max(min, max - 1);
            case 3 -> Math.min(max, min + 1);
            case 4 -> Math.max(min, Math.min(max - 1, part.value(row)) + 1);
            default -> part.value(row);
        };
    }

    private void assertRangeAgrees(
            final ColumnPart part, final long low, final long high, final Random random, final String description) {
        final int from = begin(random);
        final int to = random.nextInt(3) == 0 ? WORD_COUNT : from + 1 + random.nextInt(WORD_COUNT - from);
        final boolean isInside = random.nextBoolean();
        final long[] expected = held.clone();
        for (int row = from * Long.SIZE; row < to * Long.SIZE; row++) {
            final long value = part.value(row);
            final boolean isHeld =
                    isCandidate(part, ColumnKind.NUMBER, row) && (value >= low && value <= high) == isInside;
            expected[row / Long.SIZE] |= isHeld ? 1L << row : 0;
        }
        ranges.range(low, high, isInside, part.max() - part.min() >= 0);
        ranges.add(part, ColumnKind.NUMBER, candidates, from, to, held);
        assertThat(held)
                .as("%s: %d to %d, inside: %b, words %d to %d", description, low, high, isInside, from, to)
                .isEqualTo(expected);
    }

    private static void putTexts(final PartOfValues values, final int textCount, final Random random) {
        final boolean isMixed = random.nextBoolean();
        for (int row = 0; row < StateStore.BLOCK_LENGTH; row++) {
            if (isMixed && random.nextInt(5) == 0) {
                values.putNumber(row, random.nextInt(1 << 15));
            } else {
                values.putText(row, "t" + random.nextInt(textCount));
            }
        }
        if (random.nextInt(4) == 0) {
            // Numbers that need 4 bytes make codes of 4 bytes, too.
            values.putNumber(7, 0);
            values.putNumber(8, 1 << 20);
        }
    }

    private void assertTextsAgree(
            final PartOfValues values,
            final TextScan scan,
            final Answers answers,
            final Random random,
            final String description) {
        final ColumnPart part = values.part();
        final int from = begin(random);
        final int to = random.nextInt(3) == 0 ? WORD_COUNT : from + 1 + random.nextInt(WORD_COUNT - from);
        final long[] expectedHeld = held.clone();
        final long[] expectedUnknown = unknown.clone();
        for (int row = from * Long.SIZE; row < to * Long.SIZE; row++) {
            if (isCandidate(part, ColumnKind.TEXT, row)) {
                values.column().texts().load((int) part.value(row), text);
                final boolean isUnknown = answers.isUnknown(text);
                expectedUnknown[row / Long.SIZE] |= isUnknown ? 1L << row : 0;
                expectedHeld[row / Long.SIZE] |= !isUnknown && answers.isHeld(text) ? 1L << row : 0;
            }
        }
        scan.add(part, candidates, from, to, held, unknown);
        assertThat(held).as("%s: words %d to %d", description, from, to).isEqualTo(expectedHeld);
        assertThat(unknown).as("%s: words %d to %d", description, from, to).isEqualTo(expectedUnknown);
    }

    private boolean isCandidate(final ColumnPart part, final int kind, final int row) {
        return (candidates[row / Long.SIZE] & part.kind(kind, row / Long.SIZE) & 1L << row) != 0;
    }

    /** Sets the bitmaps, and says from which word on. */
    private int begin(final Random random) {
        final int chance = random.nextInt(CHANCES.length + 1);
        for (int word = 0; word < WORD_COUNT; word++) {
            final int ofWord = CHANCES[chance < CHANCES.length ? chance : random.nextInt(CHANCES.length)];
            candidates[word] = 0;
            for (int i = 0; i < Long.SIZE; i++) {
                candidates[word] |= random.nextInt(Long.SIZE) < ofWord ? 1L << i : 0;
            }
            // What is there stays.
            held[word] = random.nextBoolean() ? 0 : quarter(random.nextLong(), random.nextLong());
            unknown[word] = 0;
        }
        return random.nextBoolean() ? 0 : random.nextInt(WORD_COUNT);
    }

    /** A test of texts: for a share of them it holds, and for some it takes too many steps. */
    private static final class Answers implements ValueTest {
        private final Work work;
        private final int salt;
        private final int heldOf16;
        private final int unknownOf16;

        Answers(final Random random, final Work work) {
            this.work = work;
            salt = random.nextInt();
            heldOf16 = random.nextInt(17);
            unknownOf16 = random.nextInt(3) == 0 ? random.nextInt(4) : 0;
        }

        @Override
        public int truth(final Register value) {
            if (isUnknown(value)) {
                work.take(STEPS_MAX + 1);
            }
            return Truth.of(isHeld(value));
        }

        boolean isUnknown(final Register value) {
            return (hash(value) >>> 28) < unknownOf16;
        }

        boolean isHeld(final Register value) {
            return (hash(value) >>> 24 & 15) < heldOf16;
        }

        private int hash(final Register value) {
            return (value.buffer()
                                    .getStringWithoutLengthAscii(value.offset(), value.length())
                                    .hashCode()
                            + salt)
                    * 0x9E3779B9;
        }
    }

    /** About a quarter of the bits. */
    private static long quarter(final long first, final long second) {
        return first & second;
    }
}
