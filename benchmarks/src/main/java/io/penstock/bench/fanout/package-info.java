/**
 * Measures what it costs a broker to give one message to many connections, and to many subscriptions of one connection, beside a
 * plain loop that writes the same bytes to as many sockets.
 *
 * <p>The main thread publishes, and runs the plain loop; broker and receivers have threads of their own.
 */
@NullMarked
package io.penstock.bench.fanout;

import org.jspecify.annotations.NullMarked;
