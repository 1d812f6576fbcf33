/** Tests of {@code shard} on its own. */
package io.penstock.broker.shard;
