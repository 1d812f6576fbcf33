package io.penstock.nativeaccess;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The native methods of DiSNI ({@code com.ibm.disni.verbs.impl.NativeDispatcher}). DiSNI asks the JVM for a library
 * {@code disni}; once this one is loaded, the JVM takes it for that, and looks for no file. As every native library it
 * serves one class loader. Any thread.
 */
public final class DisniLibrary {
    /** System property: path of a library to use in place of the one in the jar. */
    public static final String LIBRARY_PROPERTY = "penstock.disni.library";

    private DisniLibrary() {}

    /**
     * Loads the library, by the first call; it has to be made before DiSNI's classes are used.
     *
     * @return where it came from.
     * @throws IOException with the reason and a remedy, when there is none, or it cannot be loaded; each time the same.
     */
    public static String load() throws IOException {
        if (Holder.FAILURE != null) {
            throw new IOException("native methods of DiSNI: not there: " + Holder.FAILURE);
        }
        return Holder.ORIGIN;
    }

    /** Loads when it is first asked for. */
    private static final class Holder {
        static final String ORIGIN;
        static final @Nullable String FAILURE;

        static {
            String origin = "";
            String failure = null;
            try {
                origin = LibraryFile.DISNI.load(System.getProperty(LIBRARY_PROPERTY, ""));
            } catch (final IOException e) {
                failure = String.valueOf(e.getMessage());
            }
            ORIGIN = origin;
            FAILURE = failure;
        }
    }
}
