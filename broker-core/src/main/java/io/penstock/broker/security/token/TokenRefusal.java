package io.penstock.broker.security.token;

/** A token or a key that cannot be used. Its message is for the operator, and has nothing secret in it. */
final class TokenRefusal extends Exception {
    private static final long serialVersionUID = 1L;

    TokenRefusal(final String reason) {
        super(reason, null, false, false);
    }
}
