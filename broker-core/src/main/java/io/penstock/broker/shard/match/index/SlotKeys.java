package io.penstock.broker.shard.match.index;

import io.penstock.broker.filter.value.Register;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldType;
import java.util.Arrays;

/** The order keys of a message's values, made for each field when the first guard asks for them. */
final class SlotKeys {
    private static final int LENGTH_INITIAL = 4;

    private static final byte NOTHING = 0;
    private static final byte NUMBER = 1;
    private static final byte TEXT = 2;

    /** Elements of an array may be anything. */
    private static final byte ARRAY = 4;

    private final Register value = new Register();
    private long[] messages = new long[LENGTH_INITIAL];
    private long[] numbers = new long[LENGTH_INITIAL];
    private long[] texts = new long[LENGTH_INITIAL];
    private byte[] kinds = new byte[LENGTH_INITIAL];
    private long message;

    /** Set before anything is asked. */
    @SuppressWarnings("NullAway.Init")
    private FieldReader reader;

    void wrap(final FieldReader ofMessage) {
        reader = ofMessage;
        message++;
    }

    /** Guards are going to ask for their fields. */
    void makeRoom(final long[] guards) {
        for (int at = 0; at < guards.length; at += Guard.LENGTH) {
            makeRoom(Guard.slot(guards, at));
        }
    }

    private void makeRoom(final int slot) {
        if (slot >= messages.length) {
            final int length = Math.max(slot + 1, 2 * messages.length);
            messages = Arrays.copyOf(messages, length);
            numbers = Arrays.copyOf(numbers, length);
            texts = Arrays.copyOf(texts, length);
            kinds = Arrays.copyOf(kinds, length);
        }
    }

    /** Whether the tests that guards stand for may be true. */
    boolean areWithin(final long[] guards) {
        int at = 0;
        while (at < guards.length && isWithin(guards, at)) {
            at += Guard.LENGTH;
        }
        return at == guards.length;
    }

    private boolean isWithin(final long[] guards, final int at) {
        final int slot = Guard.slot(guards, at);
        if (messages[slot] != message) {
            messages[slot] = message;
            kinds[slot] = load(slot);
        }
        final byte kind = kinds[slot];
        if (kind == ARRAY) {
            return true;
        }
        final boolean isOfText = Guard.isOfText(guards, at);
        if ((kind & (isOfText ? TEXT : NUMBER)) == 0) {
            return false;
        }
        final long key = isOfText ? texts[slot] : numbers[slot];
        return guards[at + Guard.LOW] <= key && key <= guards[at + Guard.HIGH];
    }

    private byte load(final int slot) {
        value.load(reader, slot);
        return switch (value.type()) {
            case ARRAY -> ARRAY;
            case LONG, DOUBLE -> loadNumber(slot);
            case STRING -> loadText(slot);
            case UNTYPED -> (byte) (loadText(slot) | (value.hasNumber() ? loadNumber(slot) : NOTHING));
            default -> NOTHING;
        };
    }

    private byte loadNumber(final int slot) {
        numbers[slot] = value.numberType() == FieldType.LONG
                ? OrderKeys.of(value.longValue())
                : OrderKeys.of(value.doubleValue());
        return NUMBER;
    }

    private byte loadText(final int slot) {
        texts[slot] = OrderKeys.ofText(value.buffer(), value.offset(), value.length());
        return TEXT;
    }
}
