/** Shared by all front ends that call clients: which addresses they may call, and when they keep connections. */
@NullMarked
package io.penstock.bridge.callback;

import org.jspecify.annotations.NullMarked;
