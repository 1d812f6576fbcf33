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
     */
    // Its array goes into a frame at once.
    @SuppressWarnings("ArrayRecordComponent")
    record Admitted(Principal principal, byte[] message, long validForNs, Validity validity)
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
