package io.penstock.format.tck;

final class JsonReaderTest extends FieldReaderTck {
    JsonReaderTest() {
        super(new TestedJson());
    }
}
