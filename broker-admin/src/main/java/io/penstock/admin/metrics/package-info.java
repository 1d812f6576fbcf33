/** The broker's counters under the names and in the forms that monitoring systems read. Safe on any thread. */
@NullMarked
package io.penstock.admin.metrics;

import org.jspecify.annotations.NullMarked;
