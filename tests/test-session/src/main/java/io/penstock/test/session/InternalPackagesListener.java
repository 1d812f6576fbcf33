package io.penstock.test.session;

import io.penstock.nativeaccess.InternalPackages;
import io.penstock.nativeaccess.NativeLibrary;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Lets Agrona, and DiSNI, use packages of the JDK before a test touches them. Programs need not do that: the first client
 * or broker does. Tests of single classes have neither. Found by JUnit with the service loader.
 */
public final class InternalPackagesListener implements LauncherSessionListener {
    /** Found by the service loader. */
    public InternalPackagesListener() {}

    @Override
    public void launcherSessionOpened(final LauncherSession session) {
        final Module tests = InternalPackagesListener.class.getModule();
        if (!InternalPackages.export("jdk.internal.misc", tests) || !InternalPackages.export("sun.nio.ch", tests)) {
            throw new IllegalStateException("tests: no access to packages of the JDK: "
                    + NativeLibrary.get().report()
                    + " (run Maven with '-Djvm.flags=--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED"
                    + " --add-exports=java.base/sun.nio.ch=ALL-UNNAMED')");
        }
    }
}
