/**
 * The commands about a broker's topics.
 *
 * <p>Each runs on the main thread and owns the client that it makes.
 */
@NullMarked
package io.penstock.standalone.topic;

import org.jspecify.annotations.NullMarked;
