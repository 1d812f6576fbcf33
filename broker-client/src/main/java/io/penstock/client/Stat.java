package io.penstock.client;

/**
 * A counter of the broker.
 *
 * @param name  as in the reference of counters.
 * @param value when it was asked for.
 */
public record Stat(String name, long value) {}
