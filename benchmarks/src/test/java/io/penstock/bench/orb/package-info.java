/** Tests of what is made of the measurements of calls. */
@NullMarked
package io.penstock.bench.orb;

import org.jspecify.annotations.NullMarked;
