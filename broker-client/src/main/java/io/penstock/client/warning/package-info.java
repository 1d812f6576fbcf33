/**
 * Warnings of a client for which there is no handler: the JDK's logger of the name {@code io.penstock.client}.
 * Internal.
 *
 * <p>Owned by no thread: any may warn.
 */
@NullMarked
package io.penstock.client.warning;

import org.jspecify.annotations.NullMarked;
