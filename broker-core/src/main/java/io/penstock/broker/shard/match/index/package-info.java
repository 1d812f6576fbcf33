/**
 * An index of filters: from the values of a message's fields to the filters that may be true of it.
 *
 * <p>Owned by the agent of its matcher.
 */
@NullMarked
package io.penstock.broker.shard.match.index;

import org.jspecify.annotations.NullMarked;
