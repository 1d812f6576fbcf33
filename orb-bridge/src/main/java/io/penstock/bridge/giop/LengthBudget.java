package io.penstock.bridge.giop;

/** Bytes that many connections may hold together. Safe on any thread. */
public interface LengthBudget {
    /** No bound. */
    LengthBudget NONE = new LengthBudget() {
        @Override
        public boolean add(final long length) {
            return true;
        }

        @Override
        public void remove(final long length) {}
    };

    /**
     * Takes some.
     *
     * @param length in bytes.
     * @return false when there is no room; nothing is taken then.
     */
    boolean add(long length);

    /**
     * Gives back.
     *
     * @param length that was taken.
     */
    void remove(long length);
}
