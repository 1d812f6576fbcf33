@org.jspecify.annotations.NullMarked
package io.penstock.faults;
