package io.penstock.format.tck;

import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.GrowableReader;
import io.penstock.format.MessageFormat;
import io.penstock.format.MessageValidator;
import io.penstock.format.UniqueFields;
import java.util.List;

/** JSON by a format that knows no validating reader of its own. */
final class SeparateReaderTest extends ValidatingReaderTck {
    SeparateReaderTest() {
        super(new TestedSeparately());
    }

    private static final class TestedSeparately implements TestedFormat {
        private final TestedFormat json = new TestedJson();

        @Override
        public MessageFormat format() {
            return new Separate(json.format());
        }

        @Override
        public List<FormatSample> samples() {
            return json.samples();
        }

        @Override
        public List<byte[]> refusedMessages() {
            return json.refusedMessages();
        }

        @Override
        public boolean refusesTruncation() {
            return json.refusesTruncation();
        }
    }

    private record Separate(MessageFormat json) implements MessageFormat {
        @Override
        public String name() {
            return "separate";
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
        public UniqueFields newUniqueFields(final FieldSet fields) {
            return json.newUniqueFields(fields);
        }
    }
}
