/**
 * Breaks brokers and disks, and checks that nothing that was acknowledged as persisted is lost or applied twice.
 *
 * <p>Run by the main thread; publishers have threads of their own.
 */
@NullMarked
package io.penstock.faults;

import org.jspecify.annotations.NullMarked;
