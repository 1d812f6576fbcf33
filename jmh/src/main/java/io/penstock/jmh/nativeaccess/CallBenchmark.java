package io.penstock.jmh.nativeaccess;

import io.penstock.nativeaccess.Binding;
import io.penstock.nativeaccess.NativeAccess;
import io.penstock.nativeaccess.NativeLibrary;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a call of the native library costs by each binding: with three longs, to a function that adds them up, and, for
 * the scale, to one that enters the kernel. A binding that this Java has not fails, and the others go on.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {"--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED", "--enable-native-access=ALL-UNNAMED"})
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class CallBenchmark {
    private final UnsafeBuffer word = new UnsafeBuffer(ByteBuffer.allocateDirect(64));
    private final long address = word.addressOffset();

    private long value = 1;

    /** The same sum in Java. */
    @Benchmark
    public long java() {
        value = value + 3 * address + 5 * 7;
        return value;
    }

    @Benchmark
    public long jni() {
        return probe(Jni.ACCESS);
    }

    @Benchmark
    public long foreign() {
        return probe(Foreign.ACCESS);
    }

    @Benchmark
    public long incubator() {
        return probe(Incubator.ACCESS);
    }

    /** A call that the JVM takes no note of: it cannot collect garbage until it returns. */
    @Benchmark
    public long foreignCritical() throws Throwable {
        value = (long) Critical.PROBE.invokeExact(value, address, 7L);
        return value;
    }

    @Benchmark
    public int jniSystemCall() {
        return Jni.ACCESS.futexWake(address, 1, 0);
    }

    @Benchmark
    public int foreignSystemCall() {
        return Foreign.ACCESS.futexWake(address, 1, 0);
    }

    @Benchmark
    public int incubatorSystemCall() {
        return Incubator.ACCESS.futexWake(address, 1, 0);
    }

    private long probe(final NativeAccess access) {
        value = access.probe(value, address, 7);
        return value;
    }

    /** Bound by the benchmark that uses it only. */
    private static final class Jni {
        static final NativeAccess ACCESS = NativeLibrary.bind(Binding.JNI);
    }

    private static final class Foreign {
        static final NativeAccess ACCESS = NativeLibrary.bind(Binding.FOREIGN);
    }

    private static final class Incubator {
        static final NativeAccess ACCESS = NativeLibrary.bind(Binding.INCUBATOR);
    }

    private static final class Critical {
        static final MethodHandle PROBE = handle();

        private static MethodHandle handle() {
            NativeLibrary.get().access();
            return CriticalProbe.handle();
        }
    }
}
