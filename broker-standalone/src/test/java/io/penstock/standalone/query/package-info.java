@NullMarked
package io.penstock.standalone.query;

import org.jspecify.annotations.NullMarked;
