/**
 * Measures a broker in a process of its own, from one process that holds the publisher and the subscribers.
 *
 * <p>The main thread runs rounds; one thread publishes, and each of a few threads owns some subscribers.
 */
@NullMarked
package io.penstock.bench;

import org.jspecify.annotations.NullMarked;
