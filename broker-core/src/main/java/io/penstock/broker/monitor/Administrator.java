package io.penstock.broker.monitor;

/**
 * Who gives a command, for the log.
 *
 * @param peer    where it comes from, for example {@code http://127.0.0.1:40112}.
 * @param user    who it is; empty for none.
 * @param client  by what.
 * @param isLocal whether it comes from this machine.
 */
public record Administrator(String peer, String user, String client, boolean isLocal) {}
