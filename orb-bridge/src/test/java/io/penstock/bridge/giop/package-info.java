@NullMarked
package io.penstock.bridge.giop;

import org.jspecify.annotations.NullMarked;
