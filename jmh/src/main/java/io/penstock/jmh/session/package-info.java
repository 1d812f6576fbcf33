/** What clients cost others. */
@NullMarked
package io.penstock.jmh.session;

import org.jspecify.annotations.NullMarked;
