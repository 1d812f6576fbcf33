/** Tests of {@code shard.feed} on its own. */
package io.penstock.broker.shard.feed;
