/** Tests of what is made of the measurements of calls. */
@NullMarked
package io.penstock.standalone.bench.orb;

import org.jspecify.annotations.NullMarked;
