@NullMarked
package io.penstock.standalone.bench;

import org.jspecify.annotations.NullMarked;
