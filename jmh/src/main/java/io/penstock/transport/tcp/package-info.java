/**
 * Measurements of the {@code tcp} transport, in its package so that they can vary what users cannot.
 *
 * <p>Each is a program that prints a table; it runs its variants in turn, several times, and prints medians.
 */
@NullMarked
package io.penstock.transport.tcp;

import org.jspecify.annotations.NullMarked;
