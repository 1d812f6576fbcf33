@NullMarked
package io.penstock.standalone.guide;

import org.jspecify.annotations.NullMarked;
