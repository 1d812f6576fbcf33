@NullMarked
package io.penstock.standalone.input;

import org.jspecify.annotations.NullMarked;
