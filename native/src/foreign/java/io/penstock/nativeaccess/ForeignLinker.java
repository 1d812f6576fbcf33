package io.penstock.nativeaccess;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Makes method handles with {@code java.lang.foreign}. */
final class ForeignLinker {
    private ForeignLinker() {}

    /**
     * Finds a function of the loaded library.
     *
     * @param name       of the function.
     * @param result     int or long.
     * @param parameters each int or long.
     * @return a handle with exactly these types.
     */
    static MethodHandle handle(final String name, final Class<?> result, final Class<?>... parameters) {
        final MemorySegment function = SymbolLookup.loaderLookup()
                .find(name)
                .orElseThrow(() -> new UnsatisfiedLinkError("the library is another one: it has no " + name));
        final MemoryLayout[] layouts = new MemoryLayout[parameters.length];
        for (int i = 0; i < parameters.length; i++) {
            layouts[i] = layout(parameters[i]);
        }
        return Linker.nativeLinker().downcallHandle(function, FunctionDescriptor.of(layout(result), layouts));
    }

    private static MemoryLayout layout(final Class<?> type) {
        return type == int.class ? ValueLayout.JAVA_INT : ValueLayout.JAVA_LONG;
    }
}
