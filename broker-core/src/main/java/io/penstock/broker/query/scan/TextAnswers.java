package io.penstock.broker.query.scan;

import io.penstock.broker.filter.condition.Accepted;
import io.penstock.broker.filter.value.Register;
import io.penstock.broker.filter.value.ValueTest;
import io.penstock.broker.filter.value.Work;
import io.penstock.broker.query.column.TextDictionary;
import java.util.Arrays;

/**
 * What a test says of each text of a column: asked once for each, as the dictionary grows. Where the test takes more
 * steps than its share of a filter's, the text's rows have to be asked, since the filter might run out of steps there.
 */
final class TextAnswers {
    private static final int COUNT_INITIAL = 64;

    private final TextDictionary texts;
    private final ValueTest test;
    private final Accepted accepted;
    private final Work work;
    private final long stepsMax;
    private final Register value = new Register();

    /** By the texts' codes, 1 where it holds; as long as a power of two. */
    private byte[] held = new byte[COUNT_INITIAL];

    /** By the texts' codes, 1 where the row has to be asked; as long as the other. */
    private byte[] unknown = new byte[COUNT_INITIAL];

    private int count;
    private int heldCount;
    private int lastHeld = TextDictionary.NONE;
    private long heldCodes;
    private long unknownCodes;

    TextAnswers(
            final TextDictionary texts,
            final ValueTest test,
            final Accepted accepted,
            final Work work,
            final long stepsMax) {
        this.texts = texts;
        this.test = test;
        this.accepted = accepted;
        this.work = work;
        this.stepsMax = stepsMax;
    }

    /** Asks about texts that are new, up to a limit; false when there are more. */
    boolean update(final int limit) {
        final int known = texts.count();
        while (known > held.length) {
            held = Arrays.copyOf(held, 2 * held.length);
            unknown = Arrays.copyOf(unknown, held.length);
        }
        final int end = Math.min(known, count + limit);
        for (int code = count; code < end; code++) {
            ask(code);
        }
        count = end;
        return end == known;
    }

    private void ask(final int code) {
        texts.load(code, value);
        work.renew();
        final int truth = test.truth(value);
        if (work.left() < Work.STEPS_MAX - stepsMax) {
            unknown[code] = 1;
            unknownCodes |= 1L << code;
        } else if (accepted.has(truth)) {
            held[code] = 1;
            heldCodes |= 1L << code;
            heldCount++;
            lastHeld = code;
        }
    }

    /** By codes, 1 for texts for which it holds; good until {@link #update}, and as long as a power of two. */
    byte[] held() {
        return held;
    }

    /** By codes, 1 for texts whose rows have to be asked; the same. */
    byte[] unknown() {
        return unknown;
    }

    /** The code for which it holds, when there is only one; otherwise {@link TextDictionary#NONE}. */
    int onlyHeld() {
        return heldCount == 1 ? lastHeld : TextDictionary.NONE;
    }

    /** A bit for the lowest 6 bits of each code whose answer is that it holds. */
    long heldCodes() {
        return heldCodes;
    }

    long unknownCodes() {
        return unknownCodes;
    }
}
