/** Tests of the bytes of commands. */
@NullMarked
package io.penstock.broker.shard.order;

import org.jspecify.annotations.NullMarked;
