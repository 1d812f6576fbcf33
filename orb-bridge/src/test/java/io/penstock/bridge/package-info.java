@NullMarked
package io.penstock.bridge;

import org.jspecify.annotations.NullMarked;
