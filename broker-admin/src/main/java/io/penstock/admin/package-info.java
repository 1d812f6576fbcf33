/** The admin server of a broker: what it is configured by, and how it is started. */
@NullMarked
package io.penstock.admin;

import org.jspecify.annotations.NullMarked;
