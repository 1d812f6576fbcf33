@NullMarked
package io.penstock.standalone.top;

import org.jspecify.annotations.NullMarked;
