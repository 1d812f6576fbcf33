package io.penstock.jmh.nativeaccess;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.Array;
import java.util.Objects;
import java.util.Optional;

/**
 * The library's probe, called by {@code java.lang.foreign} without telling the JVM that the thread is outside of Java.
 * By reflection, since this module is compiled for Java 17.
 */
final class CriticalProbe {
    private static final String PACKAGE = "java.lang.foreign.";

    private CriticalProbe() {}

    /**
     * Binds it; the library has been loaded.
     *
     * @return a handle that takes three longs and gives one.
     */
    static MethodHandle handle() {
        try {
            final Object lookup = type("SymbolLookup").getMethod("loaderLookup").invoke(null);
            final Optional<?> symbol = (Optional<?>) Objects.requireNonNull(
                    type("SymbolLookup").getMethod("find", String.class).invoke(lookup, "penstock_probe"));
            final Object integer = type("ValueLayout").getField("JAVA_LONG").get(null);
            final Object parameters = Array.newInstance(type("MemoryLayout"), 3);
            for (int i = 0; i < 3; i++) {
                Array.set(parameters, i, integer);
            }
            final Object descriptor = type("FunctionDescriptor")
                    .getMethod("of", type("MemoryLayout"), parameters.getClass())
                    .invoke(null, integer, parameters);
            final Object options = Array.newInstance(type("Linker$Option"), 1);
            Array.set(
                    options,
                    0,
                    type("Linker$Option").getMethod("critical", boolean.class).invoke(null, false));
            final Object linker = type("Linker").getMethod("nativeLinker").invoke(null);
            return (MethodHandle) Objects.requireNonNull(type("Linker")
                    .getMethod("downcallHandle", type("MemorySegment"), type("FunctionDescriptor"), options.getClass())
                    .invoke(linker, symbol.orElseThrow(), descriptor, options));
        } catch (final ReflectiveOperationException e) {
            throw new IllegalStateException("java: critical calls need Java 22 or newer", e);
        }
    }

    private static Class<?> type(final String name) throws ClassNotFoundException {
        return Class.forName(PACKAGE + name);
    }
}
