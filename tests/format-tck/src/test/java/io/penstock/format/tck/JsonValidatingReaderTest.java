package io.penstock.format.tck;

final class JsonValidatingReaderTest extends ValidatingReaderTck {
    JsonValidatingReaderTest() {
        super(new TestedJson());
    }
}
