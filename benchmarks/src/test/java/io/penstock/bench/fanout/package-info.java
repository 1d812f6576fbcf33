@NullMarked
package io.penstock.bench.fanout;

import org.jspecify.annotations.NullMarked;
