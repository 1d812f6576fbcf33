package io.penstock.nativeaccess;

/** How much of a CPU threads get while others want it, too. Any thread; each method is about its caller. */
public final class ThreadNice {
    /** The greatest value: a thread that gets least. */
    public static final int MAX = 19;

    private ThreadNice() {}

    /**
     * Gives the calling thread a nice value from now on. Threads that it starts begin with it. Without the native library, or when
     * the system refuses, nothing happens.
     *
     * @param nice 0 to {@link #MAX}; a lesser one than the thread has needs a privilege.
     * @return whether the thread has it.
     */
    public static boolean set(final int nice) {
        final NativeLibrary library = NativeLibrary.get();
        return library.isAvailable() && library.access().threadNice(nice) >= 0;
    }
}
