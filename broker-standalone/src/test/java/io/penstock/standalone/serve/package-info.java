@NullMarked
package io.penstock.standalone.serve;

import org.jspecify.annotations.NullMarked;
