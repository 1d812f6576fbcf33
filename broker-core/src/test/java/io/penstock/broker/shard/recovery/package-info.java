/** Tests of {@code shard.recovery} on its own. */
package io.penstock.broker.shard.recovery;
