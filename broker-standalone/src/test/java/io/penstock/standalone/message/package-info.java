@NullMarked
package io.penstock.standalone.message;

import org.jspecify.annotations.NullMarked;
