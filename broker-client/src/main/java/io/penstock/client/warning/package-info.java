/**
 * What a client warns of when there is nobody to be told: the JDK's logger of the name {@code io.penstock.client}. Internal.
 *
 * <p>Owned by no thread: any may warn.
 */
@NullMarked
package io.penstock.client.warning;

import org.jspecify.annotations.NullMarked;
