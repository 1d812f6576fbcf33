/** What the commands of the benchmarks share of options and results. */
@NullMarked
package io.penstock.bench.option;

import org.jspecify.annotations.NullMarked;
