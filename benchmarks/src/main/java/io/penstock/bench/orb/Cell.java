package io.penstock.bench.orb;

/**
 * One measurement.
 *
 * @param operation   {@link #ECHO} or {@link #PUBLISH}.
 * @param threadCount that call.
 * @param length      of the payload in bytes.
 */
record Cell(String operation, int threadCount, int length) {
    static final String ECHO = "echo";
    static final String PUBLISH = "publish";

    String size() {
        return size(length);
    }

    static String size(final int length) {
        return length % (1 << 20) == 0
                ? (length >> 20) + "MiB"
                : length % 1024 == 0 ? (length >> 10) + "KiB" : "" + length;
    }

    String threads() {
        return threadCount + (threadCount == 1 ? " thread" : " threads");
    }

    @Override
    public String toString() {
        return operation + ", " + threads() + ", " + size();
    }
}
