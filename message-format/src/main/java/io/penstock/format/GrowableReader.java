package io.penstock.format;

/**
 * A reader of fields that come and go between messages; what one costs does not grow with the others. Confined to one
 * agent; reading allocates nothing.
 */
public interface GrowableReader extends FieldReader {
    /**
     * Reads a field from the next message on.
     *
     * @param slot that no other field has.
     * @param path of the field, which has no other slot.
     */
    void add(int slot, FieldPath path);

    /**
     * Reads a field no more from the next message on.
     *
     * @param slot of the field.
     * @param path of the field, as it was added.
     */
    void remove(int slot, FieldPath path);

    /**
     * Says which fields a message has, so that its cost does not grow with those that it does not have. The message is read
     * to its end.
     *
     * @return count of the fields that are not absent, for {@link #presentSlot}; a negative number when it is not known,
     *     so that each field has to be asked for.
     */
    default int presentCount() {
        return -1;
    }

    /**
     * One of the fields that the message has, after {@link #presentCount} was called for it.
     *
     * @param index from 0 on.
     * @return slot of the field.
     */
    default int presentSlot(final int index) {
        throw new IndexOutOfBoundsException("reader: does not know which fields are present");
    }
}
