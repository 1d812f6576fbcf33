package io.penstock.nativeaccess.generator;

import io.penstock.nativeaccess.generator.Signatures.Constant;
import io.penstock.nativeaccess.generator.Signatures.Function;
import java.util.stream.Collectors;

/** Writes the Java side: the class that users see, and one that extends it for each binding. */
final class JavaWriter {
    private static final String PACKAGE = "// Generated from signatures.txt.\npackage io.penstock.nativeaccess;\n\n";

    private JavaWriter() {}

    static String access(final Signatures signatures) {
        final StringBuilder out = new StringBuilder(PACKAGE);
        out.append("""
                /**
                 * What the native library does, as it does it: each method is one C function. Results are 0 or more, or a
                 * negative errno ({@link NativeErrors} has its text). Addresses are not checked; whoever passes one answers
                 * for what lies there, for the length given, until the call returns. Nothing is allocated, but where a text
                 * says so. Safe on any thread; a call that waits holds up no other.
                 */
                public abstract class NativeAccess {
                """);
        out.append("    /** Of the signatures that these classes were made of. */\n");
        out.append("    public static final int VERSION = ")
                .append(signatures.version())
                .append(";\n\n");
        for (final Constant constant : signatures.constants()) {
            out.append("    /** ").append(constant.text()).append(" */\n    public static final int ");
            out.append(constant.name()).append(" = ").append(constant.value()).append(";\n\n");
        }
        out.append("    NativeAccess() {}\n\n    /** How the calls reach the library. */\n");
        out.append("    public abstract Binding binding();\n");
        for (final Function function : signatures.functions()) {
            out.append("\n    /** ").append(function.text()).append(" */\n    public abstract ");
            out.append(declaration(function, "")).append(";\n");
        }
        return out.append("}\n").toString();
    }

    static String jniBinding(final Signatures signatures) {
        final StringBuilder out = begin("JniAccess", "JNI", "");
        for (final Function function : signatures.functions()) {
            out.append("\n    @Override\n    public ").append(declaration(function, "final "));
            out.append(" {\n        return ")
                    .append(function.javaName())
                    .append('0')
                    .append(arguments(function));
            out.append(";\n    }\n\n    private static native ")
                    .append(function.result().java)
                    .append(' ');
            out.append(function.javaName())
                    .append("0(")
                    .append(parameters(function, ""))
                    .append(");\n");
        }
        return out.append("}\n").toString();
    }

    /**
     * A binding by method handles, which a class of the given name makes. Each handle is a constant of a class of its own: to the
     * compiler it is one, and it is made when its function is first called, as making one takes longer than most calls.
     */
    static String handleBinding(
            final Signatures signatures, final String name, final String binding, final String linker) {
        final StringBuilder out = begin(name, binding, "import java.lang.invoke.MethodHandle;\n\n");
        for (final Function function : signatures.functions()) {
            final String holder = holder(function);
            out.append("\n    private static final class ").append(holder);
            out.append(" {\n        static final MethodHandle HANDLE =\n                ");
            out.append(linker).append(".handle(\"").append(function.cName()).append("\", ");
            out.append(function.result().java).append(".class");
            function.parameters()
                    .forEach(each -> out.append(", ").append(each.type().java).append(".class"));
            out.append(");\n    }\n\n    @Override\n    public ").append(declaration(function, "final "));
            out.append(" {\n        try {\n            return (")
                    .append(function.result().java)
                    .append(") ");
            out.append(holder).append(".HANDLE.invokeExact").append(arguments(function));
            out.append(
                    ";\n        } catch (final Throwable e) {\n            throw Binding.unexpected(e);\n        }\n");
            out.append("    }\n");
        }
        return out.append("}\n").toString();
    }

    private static String holder(final Function function) {
        final String name = function.javaName();
        return Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }

    private static StringBuilder begin(final String name, final String binding, final String imports) {
        return new StringBuilder(PACKAGE)
                .append(imports)
                .append("/** The binding {@link Binding#")
                .append(binding)
                .append("}. */\nfinal class ")
                .append(name)
                .append(
                        " extends NativeAccess {\n    @Override\n    public Binding binding() {\n        return Binding.")
                .append(binding)
                .append(";\n    }\n");
    }

    private static String declaration(final Function function, final String modifier) {
        return function.result().java + " " + function.javaName() + "(" + parameters(function, modifier) + ")";
    }

    private static String parameters(final Function function, final String modifier) {
        return function.parameters().stream()
                .map(each -> modifier + each.type().java + " " + each.javaName())
                .collect(Collectors.joining(", "));
    }

    private static String arguments(final Function function) {
        return function.parameters().stream()
                .map(Signatures.Parameter::javaName)
                .collect(Collectors.joining(", ", "(", ")"));
    }
}
