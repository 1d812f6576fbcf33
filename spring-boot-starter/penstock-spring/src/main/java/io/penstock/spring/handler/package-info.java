/** Methods of beans as listeners: their arguments, results and checks. Made by the context's thread, then safe on any. */
@NullMarked
package io.penstock.spring.handler;

import org.jspecify.annotations.NullMarked;
