@NullMarked
package io.penstock.bench.plain;

import org.jspecify.annotations.NullMarked;
