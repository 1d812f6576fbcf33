/** What it costs a broker to be watched. */
@NullMarked
package io.penstock.jmh.admin;

import org.jspecify.annotations.NullMarked;
