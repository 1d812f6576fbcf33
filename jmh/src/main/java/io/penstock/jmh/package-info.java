/** What benchmarks of all subjects share. */
@NullMarked
package io.penstock.jmh;

import org.jspecify.annotations.NullMarked;
