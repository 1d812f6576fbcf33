@NullMarked
package io.penstock.standalone.logger;

import org.jspecify.annotations.NullMarked;
