/** The module against an embedded broker. */
@NullMarked
package io.penstock.spring;

import org.jspecify.annotations.NullMarked;
