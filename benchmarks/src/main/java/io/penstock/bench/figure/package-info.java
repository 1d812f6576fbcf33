/** Figures, and curves of them over a quantity, as JSON and as charts. */
@NullMarked
package io.penstock.bench.figure;

import org.jspecify.annotations.NullMarked;
