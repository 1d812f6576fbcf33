package io.penstock.nativeaccess;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The native library of this process: whether it is there, and how it is reached. It is loaded when it is first asked
 * for; a program that needs nothing of it never loads it. Any thread.
 */
public final class NativeLibrary {
    /** System property: {@code auto} (the default), {@code foreign}, {@code incubator}, {@code jni} or {@code none}. */
    public static final String BINDING_PROPERTY = "penstock.native";

    /** System property: path of a library to use in place of the one in the jar. */
    public static final String LIBRARY_PROPERTY = "penstock.native.library";

    private static final String AUTO = "auto";
    private static final String NONE = "none";

    private final @Nullable NativeAccess access;
    private final String report;

    private NativeLibrary(final @Nullable NativeAccess access, final String report) {
        this.access = access;
        this.report = "native library: " + report;
    }

    /**
     * The library of this process, loaded by the first call.
     *
     * @return the library, or what stands for its absence.
     */
    public static NativeLibrary get() {
        return Holder.LIBRARY;
    }

    /**
     * Binds the library in a particular way, to compare bindings.
     *
     * @param binding to use.
     * @return the functions.
     * @throws IllegalStateException when there is no library.
     * @throws LinkageError          when this Java has no such binding; the message says what it needs.
     */
    public static NativeAccess bind(final Binding binding) {
        final NativeAccess access = get().access();
        return access.binding() == binding ? access : binding.open();
    }

    public boolean isAvailable() {
        return access != null;
    }

    /**
     * The library's functions.
     *
     * @return the functions; always the same object.
     * @throws IllegalStateException when there is no library; the message is {@link #report()}.
     */
    public NativeAccess access() {
        if (access == null) {
            throw new IllegalStateException(report);
        }
        return access;
    }

    /**
     * One line for people: which binding is used and where the library came from; or why there is none, and what to do.
     *
     * @return the line.
     */
    public String report() {
        return report;
    }

    static NativeLibrary open(final String choice, final String path) {
        if (choice.equals(NONE)) {
            return absent("switched off with " + BINDING_PROPERTY + "=none");
        }
        final List<Binding> bindings = Arrays.stream(Binding.values())
                .filter(each -> choice.equals(AUTO) || choice.equals(each.toString()))
                .toList();
        if (bindings.isEmpty()) {
            return absent(
                    BINDING_PROPERTY + ": no such choice: " + choice + " (use auto, foreign, incubator, jni or none)");
        }
        try {
            return bound(bindings, LibraryFile.PENSTOCK.load(path));
        } catch (final IOException e) {
            return absent(String.valueOf(e.getMessage()));
        }
    }

    private static NativeLibrary bound(final List<Binding> bindings, final String origin) {
        final List<String> refused = new ArrayList<>();
        for (final Binding binding : bindings) {
            try {
                final NativeAccess access = binding.open();
                return new NativeLibrary(access, binding + " binding, " + origin + reasons(refused));
            } catch (final LinkageError | IllegalCallerException e) {
                final Throwable reason = e.getCause() == null ? e : e.getCause();
                refused.add(binding + ": " + reason.getMessage());
            }
        }
        return absent(origin + reasons(refused));
    }

    private static NativeLibrary absent(final String reason) {
        return new NativeLibrary(null, "not there: " + reason);
    }

    private static String reasons(final List<String> refused) {
        return refused.isEmpty() ? "" : " (" + String.join("; ", refused) + ")";
    }

    /** Made when it is first asked for. */
    private static final class Holder {
        static final NativeLibrary LIBRARY = open(
                System.getProperty(BINDING_PROPERTY, AUTO).toLowerCase(Locale.ROOT),
                System.getProperty(LIBRARY_PROPERTY, ""));
    }
}
