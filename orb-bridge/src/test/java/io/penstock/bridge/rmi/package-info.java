@NullMarked
package io.penstock.bridge.rmi;

import org.jspecify.annotations.NullMarked;
