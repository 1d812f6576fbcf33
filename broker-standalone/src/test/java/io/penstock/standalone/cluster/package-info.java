@NullMarked
package io.penstock.standalone.cluster;

import org.jspecify.annotations.NullMarked;
