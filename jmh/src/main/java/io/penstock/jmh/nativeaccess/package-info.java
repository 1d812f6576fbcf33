/** Benchmarks of the ways to call the native library. */
@NullMarked
package io.penstock.jmh.nativeaccess;

import org.jspecify.annotations.NullMarked;
