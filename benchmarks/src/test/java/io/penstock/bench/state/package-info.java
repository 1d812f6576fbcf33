@NullMarked
package io.penstock.bench.state;

import org.jspecify.annotations.NullMarked;
