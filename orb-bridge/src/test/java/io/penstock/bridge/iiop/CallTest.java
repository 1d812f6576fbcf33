package io.penstock.bridge.iiop;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.giop.CdrReader;
import io.penstock.bridge.giop.LengthBudget;
import io.penstock.bridge.giop.MessageHeader;
import io.penstock.bridge.giop.MessageReader;
import io.penstock.bridge.giop.MessageSink;
import io.penstock.bridge.giop.MessageType;
import io.penstock.bridge.giop.ProtocolException;
import io.penstock.bridge.giop.ReadLimits;
import io.penstock.bridge.giop.ReplyHeader;
import io.penstock.bridge.giop.SystemException;
import io.penstock.bridge.service.BridgeService;
import io.penstock.orb.BrokerException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** On the connection's thread, with a connection that nobody has. */
class CallTest {
    private static final int ID = 7;
    private static final ReadLimits LIMITS = new ReadLimits(1 << 20, 1 << 20, 1 << 20, 10);

    private final BridgeConfig config = BridgeConfig.onIiopPort(0);
    private final BridgeService service = new BridgeService(config, "tcp://127.0.0.1:1");
    private final CallPool pool = new CallPool(1, new DefaultThreadFactory("call-test", true));
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final Call call = newCall();

    private Call newCall() {
        final IiopServer server = new IiopServer(
                new Operations(
                        config,
                        new SessionKeys(service, "127.0.0.1", 1, null),
                        new Listeners(config.iiop(), service.counters())),
                pool,
                service.counters(),
                LIMITS,
                IiopServer.HeldLengths.of(1 << 20),
                1 << 16,
                new IiopServer.WaitingLimits(10, 1 << 20),
                new AtomicInteger());
        final IiopConnection connection = new IiopConnection(server, channel);
        channel.pipeline().addLast(connection);
        final MessageHeader header = new MessageHeader(2, false, false, MessageType.REQUEST, 0);
        return new Call(connection, header, ID, true, 100, StandardCharsets.UTF_8);
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
        pool.close();
        service.close();
    }

    /** What was sent, each with its status and what it says. */
    private List<String> answers() throws Exception {
        channel.runPendingTasks();
        final Answers answers = new Answers();
        final MessageReader reader =
                new MessageReader(LIMITS, LengthBudget.NONE, UnpooledByteBufAllocator.DEFAULT, answers);
        ByteBuf sent = channel.readOutbound();
        while (sent != null) {
            reader.read(sent);
            sent.release();
            sent = channel.readOutbound();
        }
        reader.release();
        return answers.all;
    }

    @Test
    void shouldBeAnsweredOnce() throws Exception {
        call.answer(out -> out.text("first"));
        call.answer(out -> out.text("second"));
        call.onFailure(new IllegalStateException("third"));

        assertThat(answers()).containsExactly("first");
    }

    @Test
    void shouldBeAnsweredWhenTheJvmHasNoMemoryForItsResults() throws Exception {
        call.answer(out -> {
            throw new OutOfMemoryError("as a test");
        });

        assertThat(answers()).singleElement().asString().startsWith("UNKNOWN");
    }

    @Test
    void shouldReportWhatIsLostWhenItsResultsCannotBeWritten() throws Exception {
        call.answer(
                out -> {
                    throw new IllegalStateException("as a test");
                },
                reason -> new BrokerException(1, "LOST", String.valueOf(reason.getMessage())));

        assertThat(answers()).singleElement().asString().startsWith("LOST").contains("as a test");
    }

    @Test
    void shouldBeRefusedWhenItIsLate() throws Exception {
        call.answerBefore(1000);
        call.onPosted();
        call.refuseWhenLate(999);
        assertThat(answers()).isEmpty();

        call.refuseWhenLate(1000);
        call.refuseWhenLate(1001);
        call.answer();

        assertThat(answers()).singleElement().asString().startsWith("TIMED_OUT");
    }

    @Test
    void shouldNotBeRefusedWhenItIsAnsweredAlready() throws Exception {
        call.answerBefore(1000);
        call.onPosted();
        call.answer(out -> out.text("in time"));
        call.refuseWhenLate(1000);

        assertThat(answers()).containsExactly("in time");
    }

    @Test
    void shouldNotBeRefusedWhenItHasNoDeadline() throws Exception {
        call.refuseWhenLate(Long.MAX_VALUE);

        assertThat(answers()).isEmpty();
        assertThat(call.isOver()).isFalse();
    }

    @Test
    void shouldSayNothingWhenItWasGivenUp() throws Exception {
        call.answerBefore(1000);
        call.onPosted();
        call.cancel();
        call.refuseWhenLate(1000);
        call.answer();

        assertThat(answers()).isEmpty();
    }

    /** Reads results, the name of a refusal, or that of a failure. */
    private static final class Answers implements MessageSink {
        private final List<String> all = new ArrayList<>();

        @Override
        public void onMessage(final MessageHeader header, final CdrReader body, final long length)
                throws ProtocolException {
            try {
                final ReplyHeader reply = ReplyHeader.read(body, header.minor());
                assertThat(reply.id()).isEqualTo(ID);
                all.add(
                        switch (reply.status()) {
                            case ReplyHeader.USER_EXCEPTION -> refusal(body);
                            case ReplyHeader.SYSTEM_EXCEPTION ->
                                SystemException.read(body).name();
                            default -> body.string();
                        });
            } catch (final SystemException e) {
                throw new ProtocolException(String.valueOf(e.getMessage()));
            }
        }

        private static String refusal(final CdrReader body) throws SystemException {
            body.string();
            body.readInt();
            return body.string() + " " + body.string();
        }

        @Override
        public void onRefused(final MessageHeader header, final CdrReader begin, final Refusal reason)
                throws ProtocolException {
            throw new ProtocolException("too long");
        }

        @Override
        public void onStaged(final int length) {}
    }
}
