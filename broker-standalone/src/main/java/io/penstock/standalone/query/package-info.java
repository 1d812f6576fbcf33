/**
 * Queries of state in the words of SQL, typed one after the other.
 *
 * <p>Owned by the main thread.
 */
@NullMarked
package io.penstock.standalone.query;

import org.jspecify.annotations.NullMarked;
