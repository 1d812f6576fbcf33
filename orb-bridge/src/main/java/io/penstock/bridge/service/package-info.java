/**
 * The service of the bridge for its clients, whatever they speak: sessions, subscriptions with bounded queues, queries,
 * leases and counters, by the Java client. Called by threads of front ends; callbacks have a bounded pool of threads,
 * leases one thread, changes of pace two.
 */
@NullMarked
package io.penstock.bridge.service;

import org.jspecify.annotations.NullMarked;
