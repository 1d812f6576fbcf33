package io.penstock.transport.tck;

import io.penstock.transport.TransportProvider;
import io.penstock.transport.ipc.IpcTransportProvider;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class IpcTransportTest extends TransportTck {
    @TempDir
    private Path folder;

    @Override
    protected TransportProvider provider() {
        return new IpcTransportProvider();
    }

    @Override
    protected URI endpoint() {
        return URI.create("ipc:" + folder.resolve("one"));
    }

    @Override
    protected URI anotherEndpoint() {
        return URI.create("ipc:" + folder.resolve("two"));
    }

    @Override
    protected URI deadEndpoint() {
        return URI.create("ipc:" + folder.resolve("nobody"));
    }
}
