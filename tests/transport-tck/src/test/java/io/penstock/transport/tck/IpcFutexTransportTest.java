package io.penstock.transport.tck;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.nativeaccess.NativeLibrary;
import java.net.URI;
import org.junit.jupiter.api.BeforeAll;

class IpcFutexTransportTest extends IpcTransportTest {
    @BeforeAll
    static void needTheLibrary() {
        assumeTrue(NativeLibrary.get().isAvailable(), NativeLibrary.get().report());
    }

    @Override
    protected URI endpoint() {
        return byFutex(super.endpoint());
    }

    @Override
    protected URI anotherEndpoint() {
        return byFutex(super.anotherEndpoint());
    }

    @Override
    protected URI deadEndpoint() {
        return byFutex(super.deadEndpoint());
    }

    private static URI byFutex(final URI endpoint) {
        return URI.create(endpoint + "?wait=futex");
    }
}
