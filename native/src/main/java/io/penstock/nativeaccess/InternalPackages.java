package io.penstock.nativeaccess;

/** Packages of the JDK that are not exported. Any thread. */
public final class InternalPackages {
    private InternalPackages() {}

    /**
     * Lets a module read a package of {@code java.base}, as the flag {@code --add-exports} does, by the native library.
     *
     * @param name   of the package.
     * @param reader the module.
     * @return whether it can read the package now; false without the native library, and where this Java does not allow it.
     */
    public static boolean export(final String name, final Module reader) {
        final Module base = Object.class.getModule();
        if (base.isExported(name, reader)) {
            return true;
        }
        return NativeLibrary.get().isAvailable() && export0(base, name, reader) && base.isExported(name, reader);
    }

    private static native boolean export0(Module module, String name, Module reader);
}
