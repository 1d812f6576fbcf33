package io.penstock.broker.security;

/**
 * Who a client was found to be.
 *
 * @param name of the user.
 */
public record Principal(String name) {
    /** A client that proved nothing. */
    public static final Principal ANONYMOUS = new Principal("anonymous");
}
