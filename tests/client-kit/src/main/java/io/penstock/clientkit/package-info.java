/**
 * Drives the Java client for the protocol kit, which is a program of its own: actions come on standard input, observations go to
 * standard output.
 *
 * <p>The main thread reads actions; those that wait run on threads of their own, handlers on the client's thread.
 */
@NullMarked
package io.penstock.clientkit;

import org.jspecify.annotations.NullMarked;
