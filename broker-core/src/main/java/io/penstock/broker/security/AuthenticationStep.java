package io.penstock.broker.security;

/** What follows a message of a client that proves who it is. Immutable. */
public sealed interface AuthenticationStep {
    /**
     * The client has to answer.
     *
     * @param message for it.
     */
    // Its array goes into a frame at once.
    @SuppressWarnings("ArrayRecordComponent")
    record Challenge(byte[] message) implements AuthenticationStep {}

    /**
     * The client has proved who it is.
     *
     * @param principal  that it is.
     * @param message    for it, by which the broker proves that it knows the client; may be empty.
     * @param validForNs how long the proof holds, in nanoseconds; {@link #FOR_EVER} for ever. Its session ends then.
     * @param validity   whether the proof still holds when users have changed.
     * @param origin     of whom the client acts for; {@link Origin#NONE} when it acts for itself.
     */
    // Its array goes into a frame at once.
    @SuppressWarnings("ArrayRecordComponent")
    record Admitted(Principal principal, byte[] message, long validForNs, Validity validity, Origin origin)
            implements AuthenticationStep {
        /** The proof does not expire. */
        public static final long FOR_EVER = Long.MAX_VALUE;

        /**
         * A proof that holds for ever, without a message.
         *
         * @param principal that the client is.
         */
        public Admitted(final Principal principal) {
            this(principal, new byte[0], FOR_EVER, Validity.ALWAYS);
        }

        /**
         * A proof of a client that acts for itself.
         *
         * @param principal  that it is.
         * @param message    for it.
         * @param validForNs how long the proof holds, in nanoseconds.
         * @param validity   whether the proof still holds when users have changed.
         */
        public Admitted(
                final Principal principal, final byte[] message, final long validForNs, final Validity validity) {
            this(principal, message, validForNs, validity, Origin.NONE);
        }

        /**
         * The same proof, for a client that acts for its owner.
         *
         * @param of    where that one is.
         * @param forNs how long it still holds, in nanoseconds.
         */
        public Admitted actedFor(final Origin of, final long forNs) {
            return new Admitted(principal, message, forNs, validity, of);
        }
    }

    /**
     * The client has not.
     *
     * @param reason for the operator, without secrets. The client does not see it: whoever guesses learns nothing.
     */
    record Refused(String reason) implements AuthenticationStep {}

    /** Whether what a client proved still holds. Asked by I/O agents after users have changed; must not block. */
    @FunctionalInterface
    interface Validity {
        /** It always does. */
        Validity ALWAYS = () -> true;

        /**
         * Asks.
         *
         * @return false when the client's session is to end.
         */
        boolean isValid();
    }
}
