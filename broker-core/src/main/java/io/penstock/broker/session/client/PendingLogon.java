package io.penstock.broker.session.client;

import io.penstock.broker.security.AuthenticationExchange;
import io.penstock.broker.security.Authenticator.Logon;
import org.jspecify.annotations.Nullable;

/** A client that proves who it is, message by message. Confined to the I/O agent of its session. */
public final class PendingLogon {
    private static final int MESSAGE_COUNT_MAX = 8;

    private final long commandId;
    private final int version;
    private final int heartbeatIntervalMs;
    private final Logon logon;
    private @Nullable AuthenticationExchange exchange;
    private String mechanism = "";
    private boolean isChecked;
    private boolean isCounted;
    private int messageCount;

    /**
     * A client has begun.
     *
     * @param commandId           of its logon.
     * @param version             of the protocol that it speaks.
     * @param heartbeatIntervalMs that it asked for.
     * @param logon               what is known of it.
     */
    public PendingLogon(final long commandId, final int version, final int heartbeatIntervalMs, final Logon logon) {
        this.commandId = commandId;
        this.version = version;
        this.heartbeatIntervalMs = heartbeatIntervalMs;
        this.logon = logon;
    }

    /** Id of its logon. */
    public long commandId() {
        return commandId;
    }

    /** Version of the protocol that it speaks. */
    public int version() {
        return version;
    }

    /** The interval that it asked for. */
    public int heartbeatIntervalMs() {
        return heartbeatIntervalMs;
    }

    /** What is known of it. */
    public Logon logon() {
        return logon;
    }

    /** The mechanism that it has chosen; empty before. */
    public String mechanism() {
        return mechanism;
    }

    /** What takes its messages; null before it has chosen a mechanism that it may use. */
    public @Nullable AuthenticationExchange exchange() {
        return exchange;
    }

    /** It has chosen a mechanism. */
    public void onChosen(final String name, final AuthenticationExchange begun) {
        mechanism = name;
        exchange = begun;
    }

    /** Whether one of its messages is being checked: nothing is read from it meanwhile. */
    public boolean isChecked() {
        return isChecked;
    }

    /** Its refusal counts already, for its address. Called by the worker that checks its message. */
    public void onCounted() {
        isCounted = true;
    }

    /** Whether its refusal counts already. */
    public boolean isCounted() {
        return isCounted;
    }

    /** A message is being checked from now on. Returns false when it has sent too many. */
    public boolean onMessage() {
        isChecked = true;
        return ++messageCount <= MESSAGE_COUNT_MAX;
    }

    /** Its message was checked, and it has to send another. */
    public void onChallenged() {
        isChecked = false;
    }
}
