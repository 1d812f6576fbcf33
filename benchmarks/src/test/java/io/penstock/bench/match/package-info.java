@NullMarked
package io.penstock.bench.match;

import org.jspecify.annotations.NullMarked;
