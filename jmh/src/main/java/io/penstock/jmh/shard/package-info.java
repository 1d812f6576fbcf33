/** What a shard costs beside its log and its state. */
@NullMarked
package io.penstock.jmh.shard;

import org.jspecify.annotations.NullMarked;
