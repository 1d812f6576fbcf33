@NullMarked
package io.penstock.standalone.console;

import org.jspecify.annotations.NullMarked;
