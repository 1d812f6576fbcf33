package io.penstock.nativeaccess.generator;

import io.penstock.nativeaccess.generator.Signatures.Constant;
import io.penstock.nativeaccess.generator.Signatures.Function;
import java.util.stream.Collectors;

/** Writes the C side: the header that the library is compiled against, and the functions that JNI looks for. */
final class CWriter {
    private static final String EXPORTED = "__attribute__((visibility(\"default\"))) ";

    private CWriter() {}

    static String header(final Signatures signatures) {
        final StringBuilder out = new StringBuilder();
        out.append("/* Generated from signatures.txt. */\n");
        out.append("#ifndef PENSTOCK_H\n#define PENSTOCK_H\n\n#include <stdint.h>\n\n");
        out.append("#define PENSTOCK_VERSION ").append(signatures.version()).append('\n');
        for (final Constant constant : signatures.constants()) {
            out.append("\n/* ").append(constant.text()).append(" */\n#define PENSTOCK_");
            out.append(constant.name()).append(' ').append(constant.value()).append('\n');
        }
        for (final Function function : signatures.functions()) {
            out.append("\n/* ").append(function.text()).append(" */\n").append(EXPORTED);
            out.append(function.result().c).append(' ').append(function.cName()).append('(');
            out.append(function.parameters().isEmpty() ? "void" : parameters(function))
                    .append(");\n");
        }
        return out.append("\n#endif\n").toString();
    }

    /** Nothing but integers crosses, so that no header of a JDK is needed: env and class are pointers not looked at. */
    static String jniGlue(final Signatures signatures) {
        final StringBuilder out = new StringBuilder();
        out.append("/* Generated from signatures.txt. jint is int32_t, jlong is int64_t. */\n");
        out.append("#include \"penstock.h\"\n");
        for (final Function function : signatures.functions()) {
            final String name = "Java_io_penstock_nativeaccess_JniAccess_" + function.javaName() + "0";
            final String parameters = "void *jni_env, void *jni_class"
                    + (function.parameters().isEmpty() ? "" : ", ") + parameters(function);
            out.append('\n')
                    .append(EXPORTED)
                    .append(function.result().c)
                    .append(' ')
                    .append(name);
            out.append("(\n        ")
                    .append(parameters)
                    .append(") {\n    (void) jni_env;\n    (void) jni_class;\n    return ");
            out.append(function.cName()).append('(');
            out.append(function.parameters().stream()
                    .map(Signatures.Parameter::name)
                    .collect(Collectors.joining(", ")));
            out.append(");\n}\n");
        }
        return out.toString();
    }

    private static String parameters(final Function function) {
        return function.parameters().stream()
                .map(each -> each.type().c + " " + each.name())
                .collect(Collectors.joining(", "));
    }
}
