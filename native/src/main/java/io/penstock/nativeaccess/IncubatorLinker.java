package io.penstock.nativeaccess;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.util.Objects;
import java.util.Optional;

/**
 * Makes method handles with Java 17's {@code jdk.incubator.foreign}. By reflection, since no other Java has that module
 * to compile against; the handles themselves are called without.
 */
final class IncubatorLinker {
    private static final String PACKAGE = "jdk.incubator.foreign.";

    private IncubatorLinker() {}

    /**
     * Finds a function of the loaded library.
     *
     * @param name       of the function.
     * @param result     int or long.
     * @param parameters each int or long.
     * @return a handle with exactly these types.
     */
    static MethodHandle handle(final String name, final Class<?> result, final Class<?>... parameters) {
        try {
            final Class<?> lookupType = type("SymbolLookup");
            final Object lookup = lookupType.getMethod("loaderLookup").invoke(null);
            final Optional<?> symbol =
                    (Optional<?>) lookupType.getMethod("lookup", String.class).invoke(lookup, name);
            if (symbol == null || symbol.isEmpty()) {
                throw new UnsatisfiedLinkError("the library is another one: it has no " + name);
            }
            final Class<?> linkerType = type("CLinker");
            final Object linker = linkerType.getMethod("getInstance").invoke(null);
            final Object handle = linkerType
                    .getMethod("downcallHandle", type("Addressable"), MethodType.class, type("FunctionDescriptor"))
                    .invoke(
                            linker,
                            symbol.get(),
                            MethodType.methodType(result, parameters),
                            descriptor(result, parameters));
            return (MethodHandle) Objects.requireNonNull(handle);
        } catch (final ReflectiveOperationException e) {
            throw (LinkageError)
                    new UnsatisfiedLinkError("cannot be bound by jdk.incubator.foreign: " + e).initCause(e);
        }
    }

    private static Object descriptor(final Class<?> result, final Class<?>... parameters)
            throws ReflectiveOperationException {
        final Object layouts = Array.newInstance(type("MemoryLayout"), parameters.length);
        for (int i = 0; i < parameters.length; i++) {
            Array.set(layouts, i, layout(parameters[i]));
        }
        final Object descriptor = type("FunctionDescriptor")
                .getMethod("of", type("MemoryLayout"), layouts.getClass())
                .invoke(null, layout(result), layouts);
        return Objects.requireNonNull(descriptor);
    }

    private static Object layout(final Class<?> type) throws ReflectiveOperationException {
        final String name = type == int.class ? "C_INT" : "C_LONG_LONG";
        return Objects.requireNonNull(type("CLinker").getField(name).get(null));
    }

    private static Class<?> type(final String name) throws ClassNotFoundException {
        return Class.forName(PACKAGE + name);
    }
}
