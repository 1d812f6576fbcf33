@NullMarked
package io.penstock.examples;

import org.jspecify.annotations.NullMarked;
