package io.penstock.broker.concurrent;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Which of many slots have something to read. Any thread marks, one takes. A mark is never lost: it is set after the
 * thing to read was published, and cleared before it is read.
 */
public final class ReadyBits {
    private static final int WORD_SHIFT = 6;

    private final AtomicLongArray words;
    private final Runnable wakeup;

    /**
     * Makes the bits, all clear.
     *
     * @param slotCount bound of slot numbers.
     * @param wakeup    ends the wait of the thread that takes; called for each mark that was not there already.
     */
    public ReadyBits(final int slotCount, final Runnable wakeup) {
        this.wakeup = wakeup;
        words = new AtomicLongArray((slotCount + Long.SIZE - 1) >> WORD_SHIFT);
    }

    /**
     * Marks a slot as ready.
     *
     * @param slot below the slot count.
     */
    public void mark(final int slot) {
        final int index = slot >> WORD_SHIFT;
        final long bit = 1L << slot;
        // Without it a mark that is being cleared could be seen, before the thing to read can be.
        VarHandle.fullFence();
        long word = words.get(index);
        while ((word & bit) == 0) {
            final long seen = words.compareAndExchange(index, word, word | bit);
            if (seen == word) {
                wakeup.run();
                return;
            }
            word = seen;
        }
    }

    /**
     * Takes all marks and hands each marked slot to a consumer.
     *
     * @param consumer called once for each.
     * @return count of slots.
     */
    public int take(final SlotConsumer consumer) {
        int count = 0;
        for (int i = 0, length = words.length(); i < length; i++) {
            if (words.getOpaque(i) != 0) {
                long word = words.getAndSet(i, 0);
                while (word != 0) {
                    consumer.onSlot((i << WORD_SHIFT) + Long.numberOfTrailingZeros(word));
                    word &= word - 1;
                    count++;
                }
            }
        }
        return count;
    }

    /** Takes the slots that are ready. */
    @FunctionalInterface
    public interface SlotConsumer {
        void onSlot(int slot);
    }
}
