/**
 * Functions of the operating system: memory, CPUs, sockets of any family, futexes, processes; through one C library and
 * three ways to call it.
 *
 * <p>Owned by no thread: the first caller loads the library, once; it has no state.
 */
@NullMarked
package io.penstock.nativeaccess;

import org.jspecify.annotations.NullMarked;
