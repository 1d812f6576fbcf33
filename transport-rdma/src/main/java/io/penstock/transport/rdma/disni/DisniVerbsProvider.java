package io.penstock.transport.rdma.disni;

import io.penstock.nativeaccess.DisniLibrary;
import io.penstock.nativeaccess.InternalPackages;
import io.penstock.nativeaccess.NativeAccess;
import io.penstock.nativeaccess.NativeLibrary;
import io.penstock.transport.rdma.verbs.Verbs;
import io.penstock.transport.rdma.verbs.VerbsProvider;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Checks the requirements, and reports missing ones. */
public final class DisniVerbsProvider implements VerbsProvider {
    static final String NAME = "disni";

    /** DiSNI asks buffers for their addresses through a package that the JDK does not export. */
    static final String ADD_EXPORTS = "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED";

    private static final String PACKAGE = "sun.nio.ch";
    private static final int TEXT_LENGTH = 256;

    /** Found by the service loader. */
    public DisniVerbsProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Verbs open() throws IOException {
        final NativeLibrary library = NativeLibrary.get();
        if (!library.isAvailable()) {
            throw new IOException("rdma: DiSNI cannot be used: " + library.report());
        }
        if (!InternalPackages.export(PACKAGE, DisniVerbsProvider.class.getModule())) {
            throw new IOException("rdma: DiSNI cannot be used: java was started without a flag that it needs: "
                    + ADD_EXPORTS
                    + " (put it on the java command line before the class or -jar; a runnable jar can have"
                    + " the line 'Add-Exports: java.base/sun.nio.ch' in its manifest instead)");
        }
        DisniLibrary.load();
        load(library.access());
        try {
            return DisniVerbs.open(library.access());
        } catch (final LinkageError e) {
            throw new IOException(
                    "rdma: DiSNI cannot be used: " + e
                            + " (have com.ibm.disni:disni:2.1 and org.slf4j:slf4j-api on the class path, once)",
                    e);
        } catch (final IOException e) {
            throw new IOException("rdma: DiSNI cannot be used: " + e.getMessage() + Errnos.deviceRemedy(e), e);
        }
    }

    /** The functions that DiSNI has not got. */
    private static void load(final NativeAccess access) throws IOException {
        final UnsafeBuffer text = new UnsafeBuffer(ByteBuffer.allocateDirect(TEXT_LENGTH));
        if (access.rdmaLoad(text.addressOffset(), TEXT_LENGTH) < 0) {
            int length = 0;
            while (length < TEXT_LENGTH && text.getByte(length) != 0) {
                length++;
            }
            throw new IOException("rdma: DiSNI cannot be used: " + text.getStringWithoutLengthAscii(0, length)
                    + " (install libibverbs and librdmacm, for example with 'apt-get install ibverbs-providers"
                    + " librdmacm1')");
        }
    }
}
