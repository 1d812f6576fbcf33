package io.penstock.spring.handler;

import java.lang.reflect.Method;

/**
 * A method that takes messages of one type.
 *
 * @param method    to be called.
 * @param type      what the type header says; empty for the name of its payload class.
 * @param isDefault whether it takes what no other does.
 */
public record TypedMethod(Method method, String type, boolean isDefault) {}
