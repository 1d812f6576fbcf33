package io.penstock.transport.rdma.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.ibm.disni.verbs.RdmaProvider;
import com.ibm.disni.verbs.impl.NativeDispatcher;
import io.penstock.nativeaccess.DisniLibrary;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Our library of native methods, in the place of DiSNI's own; needs no device. */
class DisniLibraryTest {
    private static final int NATIVE_METHOD_COUNT = 48;

    private @Nullable String absence;

    @BeforeEach
    void load() {
        try {
            DisniLibrary.load();
        } catch (final IOException e) {
            absence = e.getMessage();
        }
    }

    @Test
    void shouldHaveTheVersionThatDisniAsksFor() throws Exception {
        assumeTrue(absence == null, absence);

        assertThat(RdmaProvider.provider().getVersion()).isEqualTo(32);
    }

    /** With 0 for every object: each method is there, and refuses it. */
    @TestFactory
    Stream<DynamicTest> shouldHaveEachNativeMethod() throws Exception {
        if (absence != null) {
            return Stream.of(DynamicTest.dynamicTest("left out", () -> assumeTrue(false, absence)));
        }
        final Constructor<NativeDispatcher> constructor = NativeDispatcher.class.getDeclaredConstructor();
        constructor.setAccessible(true);
        final NativeDispatcher dispatcher = constructor.newInstance();
        final List<Method> methods = Arrays.stream(NativeDispatcher.class.getDeclaredMethods())
                .filter(each -> Modifier.isNative(each.getModifiers()))
                .toList();
        assertThat(methods).hasSize(NATIVE_METHOD_COUNT);
        return methods.stream()
                .filter(each -> !each.getName().equals("_createEventChannel"))
                .map(each -> DynamicTest.dynamicTest(each.getName(), () -> assertRefused(dispatcher, each)));
    }

    private static void assertRefused(final NativeDispatcher dispatcher, final Method method) throws Exception {
        final Object[] zeros = Arrays.stream(method.getParameterTypes())
                .map(DisniLibraryTest::zero)
                .toArray();
        final Object result;
        try {
            result = method.invoke(dispatcher, zeros);
        } catch (final InvocationTargetException e) {
            assertThat(e.getCause())
                    .isExactlyInstanceOf(IOException.class)
                    .hasMessageMatching(".+: (Invalid argument \\(errno 22\\)|there are no attributes.*)");
            return;
        }
        assertThat(((Number) result).longValue())
                .satisfies(
                        method.getName().matches("_get(Version|.*Size|.*Offset)")
                                ? value -> assertThat(value).isPositive()
                                : method.getName().equals("_ackCmEvent")
                                        ? value -> assertThat(value).isZero()
                                        : value -> assertThat(value).isNegative());
    }

    private static Object zero(final Class<?> type) {
        if (type == long.class) {
            return 0L;
        }
        if (type == short.class) {
            return (short) 0;
        }
        return type == byte.class ? (Object) (byte) 0 : (Object) 0;
    }

    @Test
    void shouldSayWhatIsMissingWhenThereIsNoLibraryForTheMachine() throws Exception {
        assertThat(report("-Dos.arch=riscv64"))
                .startsWith(
                        "native methods of DiSNI: not there: not in the jar: META-INF/native/linux-riscv64/libdisni.so"
                                + " (build Penstock on such a machine with a C compiler and the headers of rdma-core")
                .contains("-Dpenstock.disni.library=PATH");
        assertThat(report("-Dpenstock.disni.library=/gone.so"))
                .startsWith("native methods of DiSNI: not there: ")
                .contains("/gone.so")
                .endsWith("(give a file that is there, or leave the property out)");
    }

    private static String report(final String flag) throws Exception {
        final List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                flag,
                "-cp",
                System.getProperty("java.class.path"),
                ReportMain.class.getName()));
        final Process process =
                new ProcessBuilder(command).redirectErrorStream(true).start();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output.lines().reduce((first, last) -> last).orElseThrow();
    }

    /** Prints why the library cannot be loaded. */
    static final class ReportMain {
        private ReportMain() {}

        public static void main(final String... arguments) {
            try {
                System.out.println("loaded " + DisniLibrary.load());
            } catch (final IOException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
