package io.penstock.format.tck;

final class JsonFormatTest extends MessageFormatTck {
    JsonFormatTest() {
        super(new TestedJson());
    }
}
