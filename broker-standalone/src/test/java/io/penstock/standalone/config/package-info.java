@NullMarked
package io.penstock.standalone.config;

import org.jspecify.annotations.NullMarked;
