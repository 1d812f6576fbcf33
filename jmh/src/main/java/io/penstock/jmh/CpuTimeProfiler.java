package io.penstock.jmh;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * CPU time of the whole process for each operation, collecting garbage included: {@code -prof
 * io.penstock.jmh.CpuTimeProfiler}. On a machine shared with other work, where the time of an operation is that of its
 * waiting as well, this is the figure to compare.
 */
public final class CpuTimeProfiler implements InternalProfiler {
    private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private long startNs;

    /** Made by JMH. */
    public CpuTimeProfiler() {}

    @Override
    public String getDescription() {
        return "CPU time of the process, ns an operation";
    }

    @Override
    public void beforeIteration(final BenchmarkParams benchmark, final IterationParams iteration) {
        startNs = system.getProcessCpuTime();
    }

    @Override
    @SuppressWarnings("rawtypes") // As JMH declares it.
    public Collection<? extends Result> afterIteration(
            final BenchmarkParams benchmark, final IterationParams iteration, final IterationResult result) {
        final double operations = Math.max(1, result.getMetadata().getAllOps());
        final double cpuNs = system.getProcessCpuTime() - startNs;
        return List.of(new ScalarResult("cpu.time.norm", cpuNs / operations, "ns/op", AggregationPolicy.AVG));
    }
}
