/**
 * Other brokers that are measured beside this one, and their protocols.
 *
 * <p>A connection is confined to the thread that uses it.
 */
@NullMarked
package io.penstock.bench.peer;

import org.jspecify.annotations.NullMarked;
