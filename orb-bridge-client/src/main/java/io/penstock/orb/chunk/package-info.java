/**
 * Many byte streams over one connection, in frames of at most 64 KiB, with credit for each stream. Java 8, so without
 * annotations for null. No thread of its own: a thread that waits for bytes reads for all.
 */
package io.penstock.orb.chunk;
