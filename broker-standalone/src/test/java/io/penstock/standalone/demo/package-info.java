@NullMarked
package io.penstock.standalone.demo;

import org.jspecify.annotations.NullMarked;
