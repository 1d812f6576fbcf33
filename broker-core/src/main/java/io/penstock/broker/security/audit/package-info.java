/**
 * What was done in the broker's security: who logged on, what was refused, what administrators did. Lines in files, each
 * chained to the one before it by a hash.
 *
 * <p>Any thread records entries without waiting; one thread of its own writes them, or the thread that drives the broker.
 */
@NullMarked
package io.penstock.broker.security.audit;

import org.jspecify.annotations.NullMarked;
