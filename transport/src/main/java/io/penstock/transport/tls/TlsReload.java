package io.penstock.transport.tls;

/**
 * What became of certificates that were read again.
 *
 * @param isTaken whether new connections use what the files have now; false when they are unchanged, or were refused.
 * @param isRefused whether something is wrong with them, so that new connections use what was there before.
 * @param text    what has changed, or why it was refused, for people.
 */
public record TlsReload(boolean isTaken, boolean isRefused, String text) {}
