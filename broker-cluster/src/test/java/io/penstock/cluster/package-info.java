/** Tests of nodes that are one broker together. */
@NullMarked
package io.penstock.cluster;

import org.jspecify.annotations.NullMarked;
