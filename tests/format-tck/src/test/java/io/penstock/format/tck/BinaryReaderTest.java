package io.penstock.format.tck;

final class BinaryReaderTest extends FieldReaderTck {
    BinaryReaderTest() {
        super(new TestedBinary());
    }
}
