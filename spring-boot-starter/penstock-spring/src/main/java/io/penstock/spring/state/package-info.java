/** Live mirrors of keyed topics as maps. Safe on any thread unless a class says otherwise. */
@NullMarked
package io.penstock.spring.state;

import org.jspecify.annotations.NullMarked;
