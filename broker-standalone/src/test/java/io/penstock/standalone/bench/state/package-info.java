@NullMarked
package io.penstock.standalone.bench.state;

import org.jspecify.annotations.NullMarked;
