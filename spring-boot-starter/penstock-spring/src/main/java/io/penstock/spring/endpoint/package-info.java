/** Listeners as they are declared, and how containers are made of them. Set up by the context, then safe on any thread. */
@NullMarked
package io.penstock.spring.endpoint;

import org.jspecify.annotations.NullMarked;
