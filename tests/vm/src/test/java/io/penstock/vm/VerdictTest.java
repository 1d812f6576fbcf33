package io.penstock.vm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A suite can fail. */
class VerdictTest {
    private static final Suite ELSEWHERE = Suite.of("some", 25, Object.class);
    private static final Suite BY_DEVICE = ELSEWHERE.byDevice();

    @Test
    void shouldBeGoodWhenTestsPassed() {
        assertThat(Verdict.on(ELSEWHERE, result(5, 0, 1_000_000, 0), "0")).isNull();
        assertThat(Verdict.on(BY_DEVICE, result(5, 0, 8192, 2), "0")).isNull();
    }

    @Test
    void shouldFailWhenATestFailed() {
        assertThat(Verdict.on(ELSEWHERE, result(5, 1, 0, 0), "1")).isEqualTo("tests failed: 1: shouldWork: not so");
    }

    @Test
    void shouldFailWhenItDidNotEndByItself() {
        assertThat(Verdict.on(ELSEWHERE, result(5, 0, 0, 0), "137")).isEqualTo("its JVM ended with exit code 137");
    }

    @Test
    void shouldFailWhenNoTestRan() {
        assertThat(Verdict.on(ELSEWHERE, result(0, 0, 0, 0), "0")).isEqualTo("no test ran");
    }

    @Test
    void shouldFailWhenTheBytesWentElsewhere() {
        assertThat(Verdict.on(BY_DEVICE, result(5, 0, 8193, 2), "0"))
                .isEqualTo("the bytes did not go by the device: 2 packets, and 8,193 bytes need 3");
        assertThat(Verdict.on(BY_DEVICE, result(5, 0, 0, 100), "0")).isEqualTo("nothing was sent");
    }

    @Test
    void shouldReadWhatWasWritten(@TempDir final Path folder) throws Exception {
        final SuiteResult result = new SuiteResult(1, 2, 3, 4, 5, 6, "a: b; c: d");

        result.write(folder);

        assertThat(SuiteResult.read(folder)).isEqualTo(result);
    }

    private static SuiteResult result(
            final long passedCount, final long failedCount, final long bytesSent, final long packetsSent) {
        return new SuiteResult(
                passedCount, failedCount, 0, bytesSent, packetsSent, 1, failedCount == 0 ? "" : "shouldWork: not so");
    }
}
