/** Measures what makes messages last: the wait for {@code persisted}, and the start from a log. */
@NullMarked
package io.penstock.standalone.bench.journal;

import org.jspecify.annotations.NullMarked;
