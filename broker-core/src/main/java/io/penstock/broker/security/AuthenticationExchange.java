package io.penstock.broker.security;

/**
 * The conversation of one client that proves who it is. Its messages come one after the other, though each maybe on
 * another thread, which is none of the broker's agents: it may block, until the client's time to log on is up.
 */
@FunctionalInterface
public interface AuthenticationExchange {
    /**
     * Takes a message of the client.
     *
     * @param message as it came, from whomever: at most 65,534 bytes. The callee may keep it.
     * @return what follows. What is thrown counts as a refusal, and is reported as an error of the broker.
     */
    AuthenticationStep respond(byte[] message);
}
