@NullMarked
package io.penstock.standalone;

import org.jspecify.annotations.NullMarked;
