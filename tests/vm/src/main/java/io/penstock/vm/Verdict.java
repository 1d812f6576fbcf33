package io.penstock.vm;

import org.jspecify.annotations.Nullable;

/** Whether what came of a suite is what was wanted. */
final class Verdict {
    private Verdict() {}

    /** What is wrong, or null. */
    static @Nullable String on(final Suite suite, final SuiteResult result, final String exitCode) {
        if (result.failedCount() > 0) {
            return "tests failed: " + result.failedCount() + ": " + result.failures();
        }
        if (!exitCode.equals("0")) {
            return "its JVM ended with exit code " + exitCode;
        }
        if (result.isEmpty()) {
            return "no test ran";
        }
        if (suite.traffic() == Suite.Traffic.BY_DEVICE) {
            if (result.bytesSent() == 0) {
                return "nothing was sent";
            }
            if (result.packetsSent() < result.packetsNeeded()) {
                return String.format(
                        "the bytes did not go by the device: %,d packets, and %,d bytes need %,d",
                        result.packetsSent(), result.bytesSent(), result.packetsNeeded());
            }
        }
        return null;
    }
}
