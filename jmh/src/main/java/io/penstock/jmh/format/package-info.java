/** What message formats cost, beside a parser that others use. */
@NullMarked
package io.penstock.jmh.format;

import org.jspecify.annotations.NullMarked;
