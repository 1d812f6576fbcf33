/** Benchmarks of the native protocol's codecs. */
@NullMarked
package io.penstock.jmh.protocol;

import org.jspecify.annotations.NullMarked;
