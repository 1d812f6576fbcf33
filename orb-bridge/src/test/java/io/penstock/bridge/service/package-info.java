@NullMarked
package io.penstock.bridge.service;

import org.jspecify.annotations.NullMarked;
