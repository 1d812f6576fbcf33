/** What the last-value store costs: puts, look-ups, scans, and its growth. */
@NullMarked
package io.penstock.jmh.state;

import org.jspecify.annotations.NullMarked;
