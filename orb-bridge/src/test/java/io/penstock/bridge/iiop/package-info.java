@NullMarked
package io.penstock.bridge.iiop;

import org.jspecify.annotations.NullMarked;
