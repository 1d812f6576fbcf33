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
}
