package io.penstock.format.tck;

final class BinaryFormatTest extends MessageFormatTck {
    BinaryFormatTest() {
        super(new TestedBinary());
    }
}
