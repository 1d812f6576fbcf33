package io.penstock.transport;

/**
 * Explains a missing JVM flag before a class deep inside fails for the want of it. Touches no class that needs the
 * flag; any thread may call it.
 */
public final class RequiredFlags {
    /** Agrona reads memory through a package that the JDK does not export. */
    public static final String ADD_EXPORTS = "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED";

    private static final String PACKAGE = "jdk.internal.misc";

    private RequiredFlags() {}

    /**
     * Checks that the JVM was started as this code needs it.
     *
     * @throws IllegalStateException when a flag is missing; the message has the flag and where to put it.
     */
    public static void check() {
        if (!Object.class.getModule().isExported(PACKAGE, RequiredFlags.class.getModule())) {
            throw new IllegalStateException("java: started without a flag that Penstock needs: " + ADD_EXPORTS
                    + " (put it on the java command line before the class or -jar, or in the environment variable"
                    + " JDK_JAVA_OPTIONS; a runnable jar can have the line 'Add-Exports: java.base/jdk.internal.misc'"
                    + " in its manifest instead)");
        }
    }
}
