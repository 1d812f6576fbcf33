/** Tests of {@code shard.store} on its own. */
package io.penstock.broker.shard.store;
