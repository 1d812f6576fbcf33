package io.penstock.vm;

import java.util.ArrayList;
import java.util.List;

/**
 * Tests that run in one JVM of the guest.
 *
 * @param name     of the suite, unique, of letters, digits and dashes.
 * @param jdk      version of Java: 17 or 25.
 * @param isLong   it runs in the long form only.
 * @param kernel   what the guest has to run.
 * @param traffic  what the device must have done.
 * @param limitS   seconds after which it is stopped and has failed.
 * @param tests    classes of tests.
 * @param jvmArgs  further arguments of the JVM.
 * @param setUp    lines of shell that the guest runs before, each of which must succeed.
 */
public record Suite(
        String name,
        int jdk,
        boolean isLong,
        Kernel kernel,
        Traffic traffic,
        int limitS,
        List<Class<?>> tests,
        List<String> jvmArgs,
        List<String> setUp) {
    private static final int LIMIT_S_DEFAULT = 400;

    /** Kernels that suites need. */
    public enum Kernel {
        /** The distribution's. */
        STABLE("linux-image-amd64"),
        /** One whose SMC works over a device in software. */
        NEW("linux-image-6.12-amd64");

        private final String debianPackage;

        Kernel(final String debianPackage) {
            this.debianPackage = debianPackage;
        }

        /** The package, for people. */
        public String debianPackage() {
            return debianPackage;
        }
    }

    /** What the device's counters must say about a suite. */
    public enum Traffic {
        /** Nothing: its bytes go elsewhere. */
        ELSEWHERE,
        /** It sent at least the packets that all bytes need which the suite's transports say they sent. */
        BY_DEVICE
    }

    public Suite {
        tests = List.copyOf(tests);
        jvmArgs = List.copyOf(jvmArgs);
        setUp = List.copyOf(setUp);
    }

    /** A suite of the short form, on the distribution's kernel, of whose traffic nothing is said yet. */
    static Suite of(final String name, final int jdk, final Class<?>... tests) {
        return new Suite(
                name,
                jdk,
                false,
                Kernel.STABLE,
                Traffic.ELSEWHERE,
                LIMIT_S_DEFAULT,
                List.of(tests),
                List.of(),
                List.of());
    }

    /** For the long form alone. */
    Suite inLongForm() {
        return new Suite(name, jdk, true, kernel, traffic, limitS, tests, jvmArgs, setUp);
    }

    /** All its bytes must be seen by the device. */
    Suite byDevice() {
        return new Suite(name, jdk, isLong, kernel, Traffic.BY_DEVICE, limitS, tests, jvmArgs, setUp);
    }

    Suite on(final Kernel wanted) {
        return new Suite(name, jdk, isLong, wanted, traffic, limitS, tests, jvmArgs, setUp);
    }

    Suite within(final int seconds) {
        return new Suite(name, jdk, isLong, kernel, traffic, seconds, tests, jvmArgs, setUp);
    }

    /** Further arguments of the JVM. */
    Suite with(final String... args) {
        return new Suite(name, jdk, isLong, kernel, traffic, limitS, tests, plus(jvmArgs, args), setUp);
    }

    /** Lines of shell that come first. */
    Suite after(final String... lines) {
        return new Suite(name, jdk, isLong, kernel, traffic, limitS, tests, jvmArgs, plus(setUp, lines));
    }

    private static List<String> plus(final List<String> some, final String... more) {
        final List<String> all = new ArrayList<>(some);
        all.addAll(List.of(more));
        return all;
    }
}
