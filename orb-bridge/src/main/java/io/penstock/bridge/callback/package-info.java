/** What all front ends need that call clients: whose addresses they call, and when they keep connections. */
@NullMarked
package io.penstock.bridge.callback;

import org.jspecify.annotations.NullMarked;
