package io.penstock.build;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/**
 * Gives classes of Java 5 in a jar the stack maps that newer classes have, and the version of Java 8. Java leaves classes without
 * them out of its archives, and verifies them more slowly. Nothing else of the classes changes, and nothing of the jar's other files.
 */
public final class StackMaps {
    /** Where the version stands in a class file. */
    private static final int MAJOR_OFFSET = 7;

    private StackMaps() {}

    /**
     * Rewrites a jar.
     *
     * @param arguments the jar, and how the names of the classes begin.
     */
    public static void main(final String[] arguments) throws IOException {
        final Path jar = Path.of(arguments[0]);
        final Path made = jar.resolveSibling(jar.getFileName() + ".new");
        try (ZipFile from = new ZipFile(jar.toFile());
                OutputStream file = Files.newOutputStream(made);
                ZipOutputStream to = new ZipOutputStream(file);
                URLClassLoader loader = loader(jar)) {
            for (final ZipEntry entry : Collections.list(from.entries())) {
                copy(from, entry, to, arguments[1], loader);
            }
        }
        Files.move(made, jar, StandardCopyOption.REPLACE_EXISTING);
    }

    private static URLClassLoader loader(final Path jar) throws MalformedURLException {
        return new URLClassLoader(new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
    }

    private static void copy(
            final ZipFile from,
            final ZipEntry entry,
            final ZipOutputStream to,
            final String prefix,
            final ClassLoader loader)
            throws IOException {
        final ZipEntry copy = new ZipEntry(entry.getName());
        copy.setTimeLocal(entry.getTimeLocal());
        to.putNextEntry(copy);
        try (InputStream in = from.getInputStream(entry)) {
            final byte[] bytes = in.readAllBytes();
            final boolean isMeant =
                    entry.getName().startsWith(prefix) && entry.getName().endsWith(".class");
            to.write(isMeant && bytes[MAJOR_OFFSET] < Opcodes.V1_6 ? withStackMaps(bytes, loader) : bytes);
        }
        to.closeEntry();
    }

    private static byte[] withStackMaps(final byte[] bytes, final ClassLoader loader) {
        final ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_FRAMES) {
            @Override
            protected ClassLoader getClassLoader() {
                return loader;
            }
        };
        new ClassReader(bytes)
                .accept(
                        new ClassVisitor(Opcodes.ASM9, writer) {
                            @Override
                            public void visit(
                                    final int version,
                                    final int access,
                                    final String name,
                                    final String signature,
                                    final String superName,
                                    final String[] interfaces) {
                                super.visit(Opcodes.V1_8, access, name, signature, superName, interfaces);
                            }
                        },
                        0);
        return writer.toByteArray();
    }
}
