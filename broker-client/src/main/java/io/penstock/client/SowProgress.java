package io.penstock.client;

/**
 * How far a query is.
 *
 * @param rows    to be looked at; some may hold no record any more.
 * @param scanned of these, looked at.
 * @param matches records that matched so far.
 */
public record SowProgress(long rows, long scanned, long matches) {}
