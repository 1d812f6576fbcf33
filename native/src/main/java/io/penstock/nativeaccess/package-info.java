/**
 * What only the operating system can do: memory, CPUs, sockets of any family, futexes, processes; by one C library and
 * three ways to call it.
 *
 * <p>Owned by no thread: the library is loaded once, by whoever asks first, and has no state.
 */
@NullMarked
package io.penstock.nativeaccess;

import org.jspecify.annotations.NullMarked;
