@NullMarked
package io.penstock.bridge.callback;

import org.jspecify.annotations.NullMarked;
