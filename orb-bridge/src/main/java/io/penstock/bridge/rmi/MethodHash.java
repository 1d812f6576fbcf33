package io.penstock.bridge.rmi;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The number by which RMI calls a method: of the digest of its name and descriptor the first eight bytes. */
final class MethodHash {
    private MethodHash() {}

    static long of(final Method method) {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            new DataOutputStream(bytes)
                    .writeUTF(method.getName()
                            + MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                                    .toMethodDescriptorString());
            final byte[] digest = MessageDigest.getInstance("SHA-1").digest(bytes.toByteArray());
            return ByteBuffer.wrap(digest).order(ByteOrder.LITTLE_ENDIAN).getLong();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        } catch (final NoSuchAlgorithmException e) {
            throw new IllegalStateException("bridge.rmi: this JDK has no SHA-1 (use one that has)", e);
        }
    }
}
