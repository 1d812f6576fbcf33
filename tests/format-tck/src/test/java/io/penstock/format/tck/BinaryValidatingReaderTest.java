package io.penstock.format.tck;

final class BinaryValidatingReaderTest extends ValidatingReaderTck {
    BinaryValidatingReaderTest() {
        super(new TestedBinary());
    }
}
