package io.penstock.broker.shard.match.index;

import io.penstock.broker.filter.value.Register;
import io.penstock.format.FieldType;
import io.penstock.format.GrowableReader;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The fields of an index. Where they are few each is asked for in a message; else those that the message has, and those that
 * filters look for the absence of.
 */
final class FieldIndexes {
    /** Up to so many are asked for one by one. */
    private static final int ASKED_MAX = 16;

    private static final int LENGTH_INITIAL = 4;

    private final Register value = new Register();
    private @Nullable FieldIndex[] bySlot = new FieldIndex[LENGTH_INITIAL];
    private @Nullable FieldIndex[] all = new FieldIndex[LENGTH_INITIAL];
    private int count;

    /** Those with filters that ask for null. */
    private @Nullable FieldIndex[] ofNull = new FieldIndex[LENGTH_INITIAL];

    private int ofNullCount;

    void find(final GrowableReader message, final Found found) {
        final int presentCount = count > ASKED_MAX ? message.presentCount() : -1;
        if (presentCount < 0) {
            for (int i = 0; i < count; i++) {
                Objects.requireNonNull(all[i]).find(message, value, found);
            }
            return;
        }
        for (int i = 0; i < presentCount; i++) {
            final FieldIndex field = get(message.presentSlot(i));
            if (field != null) {
                field.find(message, value, found);
            }
        }
        for (int i = 0; i < ofNullCount; i++) {
            final FieldIndex field = Objects.requireNonNull(ofNull[i]);
            if (message.type(field.slot) == FieldType.ABSENT) {
                field.find(message, value, found);
            }
        }
    }

    private @Nullable FieldIndex get(final int slot) {
        return slot < bySlot.length ? bySlot[slot] : null;
    }

    @Nullable
    Posting get(final Predicate predicate, final long search) {
        final FieldIndex field = get(predicate.slot());
        return field == null ? null : field.get(predicate, search);
    }

    /** The posting for one more filter with a predicate. */
    Posting make(final Predicate predicate, final long search) {
        final FieldIndex field = make(predicate.slot());
        final Posting posting = field.make(predicate, search);
        if (posting.size() == 0 && posting.kind() == PredicateKind.NULL) {
            if (ofNullCount == ofNull.length) {
                ofNull = Arrays.copyOf(ofNull, 2 * ofNullCount);
            }
            field.placeOfNull = ofNullCount;
            ofNull[ofNullCount++] = field;
        }
        return posting;
    }

    private FieldIndex make(final int slot) {
        final FieldIndex present = get(slot);
        if (present != null) {
            return present;
        }
        if (slot >= bySlot.length) {
            bySlot = Arrays.copyOf(bySlot, Math.max(slot + 1, 2 * bySlot.length));
        }
        if (count == all.length) {
            all = Arrays.copyOf(all, 2 * count);
        }
        final FieldIndex made = new FieldIndex(slot);
        bySlot[slot] = made;
        made.place = count;
        all[count++] = made;
        return made;
    }

    /** A posting has no filter any more. */
    void remove(final Posting posting) {
        final FieldIndex field = Objects.requireNonNull(bySlot[posting.slot()]);
        field.remove(posting);
        if (posting.kind() == PredicateKind.NULL) {
            final FieldIndex last = Objects.requireNonNull(ofNull[--ofNullCount]);
            ofNull[field.placeOfNull] = last;
            last.placeOfNull = field.placeOfNull;
            ofNull[ofNullCount] = null;
        }
        if (field.isEmpty()) {
            bySlot[field.slot] = null;
            final FieldIndex last = Objects.requireNonNull(all[--count]);
            all[field.place] = last;
            last.place = field.place;
            all[count] = null;
        }
    }
}
