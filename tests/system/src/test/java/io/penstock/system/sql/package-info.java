/** Queries and filters beside databases that others have written. */
@NullMarked
package io.penstock.system.sql;

import org.jspecify.annotations.NullMarked;
