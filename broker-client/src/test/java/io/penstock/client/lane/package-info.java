/** Tests of the lanes to an executor. */
@NullMarked
package io.penstock.client.lane;

import org.jspecify.annotations.NullMarked;
