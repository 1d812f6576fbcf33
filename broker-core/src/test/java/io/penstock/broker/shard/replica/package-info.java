/** Tests of shards whose order several nodes make. Each test has its own thread. */
@NullMarked
package io.penstock.broker.shard.replica;

import org.jspecify.annotations.NullMarked;
