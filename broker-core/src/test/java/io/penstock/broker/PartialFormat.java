package io.penstock.broker;

import io.penstock.format.EditorSupport;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.GrowableReader;
import io.penstock.format.MessageEditor;
import io.penstock.format.MessageFormat;
import io.penstock.format.MessageValidator;
import io.penstock.format.json.JsonFormat;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.DirectBuffer;

/** The format {@code partial}: JSON, of which messages without an object cannot be cut. */
public final class PartialFormat implements MessageFormat {
    private static final AtomicInteger CUTS = new AtomicInteger();

    private final MessageFormat json = new JsonFormat();

    /** How many messages were cut so far. */
    static int cutCount() {
        return CUTS.get();
    }

    @Override
    public String name() {
        return "partial";
    }

    @Override
    public MessageValidator newValidator() {
        return json.newValidator();
    }

    @Override
    public FieldReader newReader(final FieldSet fields) {
        return json.newReader(fields);
    }

    @Override
    public GrowableReader newReader() {
        return json.newReader();
    }

    @Override
    public boolean hasFields() {
        return true;
    }

    @Override
    public EditorSupport editorSupport() {
        return json.editorSupport();
    }

    @Override
    public MessageEditor newEditor() {
        final MessageEditor editor = json.newEditor();
        return (MessageEditor) Proxy.newProxyInstance(
                PartialFormat.class.getClassLoader(),
                new Class<?>[] {MessageEditor.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("cut")) {
                        CUTS.incrementAndGet();
                        final DirectBuffer message = (DirectBuffer) arguments[0];
                        if (message.getByte((int) arguments[1]) != '{') {
                            return MessageEditor.TOO_LONG;
                        }
                    }
                    return method.invoke(editor, arguments);
                });
    }
}
