/** Measures the journal: the wait for {@code persisted}, and the start from a log. */
@NullMarked
package io.penstock.bench.journal;

import org.jspecify.annotations.NullMarked;
