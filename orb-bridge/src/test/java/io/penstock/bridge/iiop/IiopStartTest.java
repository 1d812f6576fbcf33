package io.penstock.bridge.iiop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.penstock.bridge.Harness;
import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.config.IiopConfig;
import io.penstock.bridge.giop.CdrReader;
import io.penstock.bridge.giop.CdrWriter;
import io.penstock.bridge.giop.Ior;
import io.penstock.bridge.giop.LengthBudget;
import io.penstock.bridge.giop.MessageHeader;
import io.penstock.bridge.giop.MessageReader;
import io.penstock.bridge.giop.MessageSink;
import io.penstock.bridge.giop.MessageType;
import io.penstock.bridge.giop.OutgoingMessage;
import io.penstock.bridge.giop.ProtocolException;
import io.penstock.bridge.giop.ReadLimits;
import io.penstock.bridge.giop.ReplyHeader;
import io.penstock.bridge.giop.RequestHeader;
import io.penstock.bridge.giop.SystemException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How the bridge announces its address. */
@Timeout(60)
class IiopStartTest {
    @TempDir
    private Path directory;

    @Test
    void shouldBeFoundByItsPortWhenAnAddressIsWritten() throws Exception {
        try (Harness harness = Harness.of(BridgeConfig.onIiopPort(0))) {
            final Ior place =
                    Ior.parse("corbaloc:iiop:1.2@127.0.0.1:" + harness.bridge().iiopPort() + "/PenstockBroker");
            try (GiopPeer peer = GiopPeer.to(place)) {
                assertThat(peer.call(place.key(), "echo", out -> out.octets(new byte[3]), CdrReader::octets))
                        .hasSize(3);
            }
            assertThat(harness.bridge().rmiPort()).isEqualTo(-1);
        }
    }

    @Test
    void shouldWriteItsReferenceToAFileWhenConfigured() throws Exception {
        final IiopSetup setup = new IiopSetup();
        setup.iorFile = directory.resolve("broker.ior").toString();
        try (Harness harness = Harness.of(setup.config())) {
            assertThat(Files.readString(directory.resolve("broker.ior")))
                    .isEqualTo(harness.bridge().ior() + "\n");
        }
        setup.iorFile = directory.resolve("missing").resolve("broker.ior").toString();
        assertThatThrownBy(() -> Harness.of(setup.config()))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageStartingWith("bridge.iiop.iorFile: cannot be written: " + setup.iorFile);
    }

    @Test
    void shouldRegisterWithANameServiceWhenConfigured() throws Exception {
        try (NameService names = new NameService("")) {
            final IiopSetup setup = new IiopSetup();
            setup.naming = "corbaloc:iiop:1.2@127.0.0.1:" + names.port() + "/NameService";
            try (Harness harness = Harness.of(setup.config())) {
                assertThat(names.calls)
                        .containsExactly(
                                "bind_new_context Penstock.",
                                "rebind Penstock./Broker. " + harness.bridge().ior());
                names.calls.clear();
            }
            assertThat(names.calls).containsExactly("resolve Penstock./Broker.", "unbind Penstock./Broker.");
        }
    }

    @Test
    void shouldLeaveItsNameWhenAnotherHasTakenIt() throws Exception {
        try (NameService names = new NameService("")) {
            final IiopSetup setup = new IiopSetup();
            setup.naming = "corbaloc:iiop:1.2@127.0.0.1:" + names.port() + "/NameService";
            try (Harness harness = Harness.of(setup.config());
                    Harness another = Harness.of(setup.config())) {
                assertThat(harness.bridge().ior()).isNotEqualTo(another.bridge().ior());
                names.calls.clear();
                harness.bridge().close();
                assertThat(names.calls).containsExactly("resolve Penstock./Broker.");
            }
        }
    }

    @Test
    void shouldCloseWhenTheNameServiceIsGone() throws Exception {
        final IiopSetup setup = new IiopSetup();
        try (NameService names = new NameService("")) {
            setup.naming = "corbaloc:iiop:1.2@127.0.0.1:" + names.port() + "/NameService";
            try (Harness harness = Harness.of(setup.config())) {
                names.socket.close();
                harness.bridge().close();
                assertThat(names.calls).noneMatch(call -> call.startsWith("unbind"));
            }
        }
    }

    @Test
    void shouldRegisterWhenTheContextIsThereAlready() throws Exception {
        try (NameService names = new NameService("IDL:omg.org/CosNaming/NamingContext/AlreadyBound:1.0")) {
            final IiopSetup setup = new IiopSetup();
            setup.naming = "corbaloc::1.0@127.0.0.1:" + names.port() + "/NameService";
            try (Harness harness = Harness.of(setup.config())) {
                assertThat(names.calls).hasSize(2);
                assertThat(harness.bridge().iiopPort()).isPositive();
            }
        }
    }

    @Test
    void shouldSayWhyWhenANameServiceCannotBeUsed() throws Exception {
        final IiopSetup setup = new IiopSetup();
        try (NameService names = new NameService("IDL:omg.org/CosNaming/NamingContext/CannotProceed:1.0")) {
            setup.naming = "corbaloc:iiop:127.0.0.1:" + names.port() + "/NameService";
            assertThatThrownBy(() -> Harness.of(setup.config()))
                    .hasMessageStartingWith("bridge.iiop.naming: cannot register Penstock/Broker with " + setup.naming)
                    .hasMessageContaining("CannotProceed");
        }
        assertThatThrownBy(() -> Harness.of(setup.config()))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageStartingWith("bridge.iiop.naming: cannot register Penstock/Broker with " + setup.naming);
        setup.naming = "somewhere";
        assertThatThrownBy(() -> Harness.of(setup.config()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("bridge.iiop.naming: no reference to an object: somewhere");
    }

    @Test
    void shouldSayWhyWhenItCannotListen() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> Harness.of(BridgeConfig.onIiopPort(taken.getLocalPort())))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageStartingWith("bridge.iiop: cannot listen on 127.0.0.1:" + taken.getLocalPort());
        }
    }

    @Test
    void shouldRefuseAConfigurationWhenItIsWrong() {
        final IiopSetup setup = new IiopSetup();
        setup.fragmentLength = 1025;
        assertThatThrownBy(setup::iiop).hasMessageStartingWith("bridge.iiop.fragmentLength: not a multiple of 8: 1025");
        assertThatThrownBy(() -> IiopConfig.none().port(70_000)).hasMessageStartingWith("bridge.iiop.port: too large");
    }

    @Test
    void shouldServeBothWhenThereAreTwoFrontEnds() throws Exception {
        final BridgeConfig config =
                BridgeConfig.onRmiPort(0).iiop(IiopConfig.none().port(0));
        try (Harness harness = Harness.of(config);
                GiopPeer peer = GiopPeer.to(Ior.parse(harness.bridge().ior()))) {
            assertThat(peer.call("PenstockBroker", "echo", out -> out.octets(new byte[3]), CdrReader::octets))
                    .hasSize(3);
            assertThat(harness.lookup().echo(new byte[4])).hasSize(4);
        }
    }

    /** Notes what it is asked; sends who asks under the name of the service to its real place, as some do. */
    private static final class NameService implements AutoCloseable {
        private static final ReadLimits LIMITS = new ReadLimits(1 << 16, 1 << 16, 1 << 16, 1);

        private final List<String> calls = Collections.synchronizedList(new ArrayList<>());
        private final String refusal;
        private volatile Ior bound = new Ior("", 2, "127.0.0.1", 1, "nothing", false);
        private final ServerSocket socket = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());

        NameService(final String refusal) throws IOException {
            this.refusal = refusal;
            final Thread thread = new Thread(this::serve, "names");
            thread.setDaemon(true);
            thread.start();
        }

        int port() {
            return socket.getLocalPort();
        }

        private void serve() {
            while (!socket.isClosed()) {
                try (Socket accepted = socket.accept()) {
                    final MessageReader reader = new MessageReader(
                            LIMITS, LengthBudget.NONE, UnpooledByteBufAllocator.DEFAULT, new Connection(accepted));
                    final byte[] bytes = new byte[4096];
                    for (int count = accepted.getInputStream().read(bytes);
                            count >= 0;
                            count = accepted.getInputStream().read(bytes)) {
                        reader.read(Unpooled.copiedBuffer(bytes, 0, count));
                    }
                } catch (final IOException | ProtocolException e) {
                    calls.add("closed");
                }
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }

        private final class Connection implements MessageSink {
            private final Socket accepted;

            Connection(final Socket accepted) {
                this.accepted = accepted;
            }

            @Override
            public void onMessage(final MessageHeader header, final CdrReader body, final long length)
                    throws ProtocolException {
                try {
                    answer(header, RequestHeader.read(body, header.minor()), body);
                } catch (final SystemException | IOException e) {
                    throw new ProtocolException(String.valueOf(e.getMessage()));
                }
            }

            private void answer(final MessageHeader header, final RequestHeader request, final CdrReader body)
                    throws SystemException, IOException {
                final CdrWriter out = CdrWriter.message(header.isLittleEndian());
                if (request.key().equals("NameService")) {
                    new ReplyHeader(request.id(), ReplyHeader.LOCATION_FORWARD).write(out, header.minor(), true);
                    new Ior("IDL:omg.org/CosNaming/NamingContextExt:1.0", 2, "127.0.0.1", port(), "root", true)
                            .write(out);
                } else {
                    note(request, body);
                    final boolean isRefused =
                            !refusal.isEmpty() && request.operation().equals("bind_new_context");
                    final boolean isAsked = request.operation().equals("resolve");
                    new ReplyHeader(request.id(), isRefused ? ReplyHeader.USER_EXCEPTION : ReplyHeader.NO_EXCEPTION)
                            .write(out, header.minor(), isRefused || isAsked);
                    if (isRefused) {
                        out.text(refusal);
                    } else if (isAsked) {
                        bound.write(out);
                    }
                }
                final OutgoingMessage message =
                        new OutgoingMessage(header.minor(), MessageType.REPLY, request.id(), out, 4096);
                final ByteBuf bytes = Unpooled.buffer();
                while (!message.isDone()) {
                    message.writeNext(bytes);
                }
                accepted.getOutputStream().write(bytes.array(), 0, bytes.readableBytes());
            }

            private void note(final RequestHeader request, final CdrReader body) throws SystemException {
                final List<String> name = new ArrayList<>();
                for (int i = body.count(10); i > 0; i--) {
                    name.add(body.string() + "." + body.string());
                }
                final Ior reference = body.remaining() == 0 ? null : Ior.read(body);
                bound = reference == null ? bound : reference;
                calls.add(request.operation() + " " + String.join("/", name)
                        + (reference == null ? "" : " " + reference.text()));
            }

            @Override
            public void onRefused(final MessageHeader header, final CdrReader begin, final Refusal reason) {}

            @Override
            public void onStaged(final int length) {}
        }
    }
}
