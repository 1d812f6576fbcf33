package io.penstock.transport;

import io.penstock.nativeaccess.InternalPackages;
import io.penstock.nativeaccess.NativeLibrary;
import org.agrona.BitUtil;

/**
 * Sees to it that Agrona can read memory, for which a JVM would have to be started with a flag. The native library makes the
 * flag unnecessary. Where there is none, a missing flag is explained before a class deep inside fails for the want of it.
 * Touches no class that needs the flag; any thread may call it.
 */
public final class RequiredFlags {
    /** Agrona reads memory through a package that the JDK does not export. */
    public static final String ADD_EXPORTS = "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED";

    private static final String PACKAGE = "jdk.internal.misc";

    private RequiredFlags() {}

    /**
     * Lets Agrona read memory. Programs that use Agrona's buffers before their first client or broker call this first.
     *
     * @throws IllegalStateException without the native library and the flag; the message has the flag and where to put it.
     */
    public static void check() {
        // A class that reads no memory.
        if (!InternalPackages.export(PACKAGE, BitUtil.class.getModule())) {
            throw new IllegalStateException("java: started without a flag that Penstock needs: " + ADD_EXPORTS
                    + " (put it on the java command line before the class or -jar, or in the environment variable"
                    + " JDK_JAVA_OPTIONS; a runnable jar can have the line 'Add-Exports: java.base/jdk.internal.misc'"
                    + " in its manifest instead); it would not be needed with the "
                    + NativeLibrary.get().report());
        }
    }
}
