/** Between messages of the client and objects of a program, by Spring's converters. Safe on any thread. */
@NullMarked
package io.penstock.spring.convert;

import org.jspecify.annotations.NullMarked;
