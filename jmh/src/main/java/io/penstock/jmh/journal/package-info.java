/** Benchmarks of the log. */
@NullMarked
package io.penstock.jmh.journal;

import org.jspecify.annotations.NullMarked;
