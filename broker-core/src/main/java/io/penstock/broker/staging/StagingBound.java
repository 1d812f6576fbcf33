package io.penstock.broker.staging;

/** A bound of room for long frames beside that of one I/O agent. Safe on any thread. */
public interface StagingBound {
    /** None. */
    StagingBound NONE = new StagingBound() {
        @Override
        public boolean take(final int length) {
            return true;
        }

        @Override
        public boolean hasRoom(final int length, final long givenBack) {
            return true;
        }

        @Override
        public void giveBack(final int length) {}
    };

    /**
     * Takes some bytes.
     *
     * @param length how many.
     * @return false, with nothing taken, when there are not as many left.
     */
    boolean take(int length);

    /**
     * Whether some bytes could be taken once others were given back.
     *
     * @param length    how many are to be taken.
     * @param givenBack how many are given back before.
     * @return false when there would not be as many left.
     */
    boolean hasRoom(int length, long givenBack);

    /**
     * Gives bytes back that were taken.
     *
     * @param length how many.
     */
    void giveBack(int length);
}
