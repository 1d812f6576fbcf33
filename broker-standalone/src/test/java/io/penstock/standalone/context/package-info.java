@NullMarked
package io.penstock.standalone.context;

import org.jspecify.annotations.NullMarked;
