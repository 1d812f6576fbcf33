package io.penstock.broker.agent;

/**
 * Where a thread of the broker runs.
 *
 * @param role     of the agent that it runs: {@code sequencer-0}, {@code io-0}.
 * @param threadId in the kernel, as in {@code /proc/self/task}.
 * @param cpu      that it is pinned to.
 */
public record ThreadPlacement(String role, int threadId, int cpu) {}
