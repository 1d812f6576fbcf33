package io.penstock.broker.filter.program;

import io.penstock.broker.filter.value.PairTest;
import io.penstock.broker.filter.value.Register;
import io.penstock.broker.filter.value.Truth;
import io.penstock.broker.filter.value.ValueTest;
import io.penstock.broker.filter.value.Work;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldType;
import org.jspecify.annotations.Nullable;

/**
 * The message that a program runs over, and the texts built meanwhile. A program has numbers of its own for the fields that
 * it reads; which slots of the reader these are is said here. Owned by one filter, or by those of one agent that share it:
 * one of them runs at a time.
 */
public final class Evaluation {
    private final TextArena arena;
    private final Work work;
    private final @Nullable Workspace workspace;
    private final Register fieldValue = new Register();

    /** Made for the first array. */
    private @Nullable Register leftElement;

    private @Nullable Register rightElement;

    /** Set when a message begins, before any instruction reads it. */
    @SuppressWarnings("NullAway.Init")
    private FieldReader message;

    @SuppressWarnings("NullAway.Init")
    private int[] slots;

    /**
     * Evaluates nothing so far.
     *
     * @param arena for the texts that are built.
     * @param work  that the tests and instructions share.
     */
    public Evaluation(final TextArena arena, final Work work) {
        this(arena, work, null);
    }

    /** Evaluates nothing so far, in a workspace. */
    Evaluation(final TextArena arena, final Work work, final @Nullable Workspace workspace) {
        this.arena = arena;
        this.work = work;
        this.workspace = workspace;
    }

    /** What it is shared in; null when it is of one filter. */
    public @Nullable Workspace workspace() {
        return workspace;
    }

    /** Goes to another message, read in these slots, by the numbers of a program's fields. */
    public void begin(final FieldReader reader, final int[] readerSlots) {
        message = reader;
        slots = readerSlots;
        arena.clear();
        work.renew();
    }

    /** Whether there were too many steps, or too long texts, for this message. */
    public boolean hasGivenUp() {
        return work.left() < 0 || arena.wasTooShort();
    }

    /** The slot of a program's field. */
    int slot(final int field) {
        return slots[field];
    }

    FieldReader message() {
        return message;
    }

    TextArena arena() {
        return arena;
    }

    Work work() {
        return work;
    }

    /** Where a test of one field has its value while it is made. */
    Register fieldValue() {
        return fieldValue;
    }

    private Register leftElement() {
        Register made = leftElement;
        if (made == null) {
            made = new Register();
            leftElement = made;
        }
        return made;
    }

    private Register rightElement() {
        Register made = rightElement;
        if (made == null) {
            made = new Register();
            rightElement = made;
        }
        return made;
    }

    private void loadElement(final int slot, final int index, final Register target) {
        message.element(slot, index);
        target.load(message, slot);
    }

    /** Tests a value; of an array, whether any element passes. */
    int any(final Register value, final ValueTest test) {
        if (value.type() != FieldType.ARRAY) {
            return test.truth(value);
        }
        final int slot = value.slot();
        final int count = message.elementCount(slot);
        final Register element = leftElement();
        int truth = Truth.FALSE;
        for (int i = 0; i < count && truth != Truth.TRUE; i++) {
            loadElement(slot, i, element);
            if (!work.takeElement(element)) {
                truth = Truth.UNKNOWN;
                break;
            }
            truth = Math.max(truth, test.truth(element));
        }
        message.element(slot, -1);
        return truth;
    }

    /** Tests two values; of arrays, whether any pair of their elements passes. */
    int any(final PairTest test, final Register left, final Register right) {
        if (left.type() != FieldType.ARRAY) {
            return anyRight(test, left, right);
        }
        final int slot = left.slot();
        final int count = message.elementCount(slot);
        final int mark = arena.mark();
        final Register element = leftElement();
        int truth = Truth.FALSE;
        for (int i = 0; i < count && truth != Truth.TRUE; i++) {
            loadElement(slot, i, element);
            if (!work.takeElement(element)) {
                truth = Truth.UNKNOWN;
                break;
            }
            if (right.type() == FieldType.ARRAY) {
                keep(element);
            }
            truth = Math.max(truth, anyRight(test, element, right));
            arena.release(mark);
        }
        message.element(slot, -1);
        return truth;
    }

    private int anyRight(final PairTest test, final Register left, final Register right) {
        if (right.type() != FieldType.ARRAY) {
            return work.takePair(left, right) ? test.truth(left, right) : Truth.UNKNOWN;
        }
        final int slot = right.slot();
        final int count = message.elementCount(slot);
        final Register element = rightElement();
        int truth = Truth.FALSE;
        for (int i = 0; i < count && truth != Truth.TRUE; i++) {
            loadElement(slot, i, element);
            if (!work.takePair(left, element)) {
                truth = Truth.UNKNOWN;
                break;
            }
            truth = Math.max(truth, test.truth(left, element));
        }
        message.element(slot, -1);
        return truth;
    }

    /**
     * Turns an array into its first element, or NULL when it has none. The text of an element is copied, because the
     * reader may reuse its place when the array is walked again.
     */
    public void makeScalar(final Register value) {
        if (value.type() != FieldType.ARRAY) {
            return;
        }
        final int slot = value.slot();
        if (message.elementCount(slot) == 0) {
            value.setNull();
            return;
        }
        loadElement(slot, 0, value);
        keep(value);
        message.element(slot, -1);
    }

    /** Copies a text to where no reader overwrites it. */
    void keep(final Register value) {
        if (value.isText()) {
            final boolean isUntyped = value.type() == FieldType.UNTYPED;
            arena.begin();
            arena.append(value);
            arena.end(value);
            if (isUntyped) {
                value.setUntyped();
            }
        }
    }
}
