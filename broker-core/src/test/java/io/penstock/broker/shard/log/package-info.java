/** Tests of {@code shard.log} on its own. */
package io.penstock.broker.shard.log;
