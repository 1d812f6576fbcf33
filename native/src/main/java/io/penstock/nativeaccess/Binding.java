package io.penstock.nativeaccess;

import java.util.Locale;

/** How calls reach the native library; the first that works is used, unless one is asked for. */
public enum Binding {
    /** Through {@code java.lang.foreign}, on Java 22 and newer. */
    FOREIGN {
        @Override
        NativeAccess make() {
            requireThat(Runtime.version().feature() >= FOREIGN_FEATURE, "needs Java 22 or newer");
            try {
                return Class.forName("io.penstock.nativeaccess.ForeignAccess")
                        .asSubclass(NativeAccess.class)
                        .getDeclaredConstructor()
                        .newInstance();
            } catch (final ReflectiveOperationException e) {
                throw new UnsatisfiedLinkError(
                        "is not in these classes (they were built by Java 17, or are not in a jar)");
            }
        }
    },
    /** Through {@code jdk.incubator.foreign}, on Java 17 when that module is there. */
    INCUBATOR {
        @Override
        NativeAccess make() {
            requireThat(
                    Runtime.version().feature() == INCUBATOR_FEATURE
                            && ModuleLayer.boot()
                                    .findModule("jdk.incubator.foreign")
                                    .isPresent(),
                    "needs Java 17 with --add-modules jdk.incubator.foreign");
            return new IncubatorAccess();
        }
    },
    /** Through the Java Native Interface, everywhere. */
    JNI {
        @Override
        NativeAccess make() {
            return new JniAccess();
        }
    };

    private static final int FOREIGN_FEATURE = 22;
    private static final int INCUBATOR_FEATURE = 17;
    private static final long PROBE = 0x1234_5678_9ABC_DEF0L;

    /**
     * Binds the library, which has been loaded, and tries a call.
     *
     * @return the binding.
     * @throws LinkageError when this Java cannot, or the library is another one.
     */
    final NativeAccess open() {
        final NativeAccess access = make();
        final int version = access.version();
        requireThat(
                version == NativeAccess.VERSION,
                "the library is another one: version " + version + ", not " + NativeAccess.VERSION);
        requireThat(
                access.probe(PROBE, -1, Long.MIN_VALUE) == PROBE - 3 + Long.MIN_VALUE,
                "arguments do not arrive as they were given");
        return access;
    }

    abstract NativeAccess make();

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The error for an exception of a method handle that should throw none. */
    static Error unexpected(final Throwable thrown) {
        if (thrown instanceof Error error) {
            return error;
        }
        return new AssertionError("native: a call threw", thrown);
    }

    private static void requireThat(final boolean isTrue, final String otherwise) {
        if (!isTrue) {
            throw new UnsatisfiedLinkError(otherwise);
        }
    }
}
