/** Tests of {@code shard.match} on its own. */
package io.penstock.broker.shard.match;
