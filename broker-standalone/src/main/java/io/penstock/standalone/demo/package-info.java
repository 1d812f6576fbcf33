/**
 * The demonstration: a broker, a publisher and subscribers in one process, over TCP, with real data.
 *
 * <p>The main thread publishes and draws; the subscriber's client thread takes the messages.
 */
@NullMarked
package io.penstock.standalone.demo;

import org.jspecify.annotations.NullMarked;
