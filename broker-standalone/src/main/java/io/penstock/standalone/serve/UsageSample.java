package io.penstock.standalone.serve;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.penstock.standalone.console.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;

/** This process's use of resources so far, for a benchmark that started it. */
final class UsageSample {
    private UsageSample() {}

    /** Answers each line with a sample, until the input ends. */
    static void answer(final InputStream in, final PrintWriter out) throws IOException {
        final BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        while (lines.readLine() != null) {
            out.println(json());
            out.flush();
        }
    }

    private static String json() {
        final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        // This thread only takes the samples, which costs more memory than all that it measures.
        final long self = Thread.currentThread().getId();
        final long[] ids = threads.getAllThreadIds();
        final long[] bytes = threads.getThreadAllocatedBytes(ids);
        long allocated = 0;
        for (int i = 0; i < ids.length; i++) {
            if (ids[i] != self) {
                allocated += Math.max(0, bytes[i]);
            }
        }
        final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return new Json()
                .field("cpu_ns", system.getProcessCpuTime())
                .field("allocated_bytes", allocated)
                .end();
    }
}
