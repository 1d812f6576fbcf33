/**
 * State as it was: made from snapshots and logs for one query.
 *
 * <p>Owned by the historian.
 */
@NullMarked
package io.penstock.broker.history;

import org.jspecify.annotations.NullMarked;
