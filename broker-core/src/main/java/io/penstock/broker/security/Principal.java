package io.penstock.broker.security;

/**
 * The authenticated identity of a client.
 *
 * @param name of the user.
 */
public record Principal(String name) {
    /** A client that proved nothing. */
    public static final Principal ANONYMOUS = new Principal("anonymous");
}
