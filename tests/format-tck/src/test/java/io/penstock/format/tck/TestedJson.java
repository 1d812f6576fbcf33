package io.penstock.format.tck;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.penstock.format.FieldType;
import io.penstock.format.MessageFormat;
import io.penstock.format.MessageFormats;
import java.util.List;
import java.util.stream.Stream;

/** The format json, for the kits. */
final class TestedJson implements TestedFormat {
    @Override
    public MessageFormat format() {
        return MessageFormats.formatFor("json");
    }

    @Override
    public List<FormatSample> samples() {
        return List.of(
                FormatSample.of("{\"id\":1000000,\"symbol\":\"IBM\",\"price\":335.84,\"live\":true,\"note\":null}")
                        .with("id", 1_000_000L)
                        .with("symbol", "IBM")
                        .with("price", 335.84)
                        .with("live", true)
                        .with("note", FieldType.NULL),
                FormatSample.of(
                                "{\"symbol\":\"\\u00e9\\n\",\"id\":-7,\"order\":{\"side\":\"B\",\"legs\":[{\"qty\":5},[1]]}}")
                        .with("symbol", "é\n")
                        .with("id", -7L)
                        .with("order", FieldType.OBJECT)
                        .with("order/side", "B")
                        .with("order/legs", List.of(FieldType.OBJECT, FieldType.OBJECT))
                        .with("order/legs[0]", FieldType.OBJECT)
                        .with("order/legs[0]/qty", 5L)
                        .with("order/legs[1]", FieldType.OBJECT),
                FormatSample.of(
                                "{ \"tags\" : [ \"a\" , 1 , 2.5 , false , null , \"\\\"\" ] ,\r\n\t\"pri\\u0063e\" : 1e3 }")
                        .with("tags", List.of("a", 1L, 2.5, false, FieldType.NULL, "\""))
                        .with("tags[1]", 1L)
                        .with("tags[5]", "\"")
                        .with("price", 1000.0),
                FormatSample.of("{}"),
                FormatSample.of("[{\"id\":1}]"),
                FormatSample.of("\"text\""));
    }

    @Override
    public List<byte[]> refusedMessages() {
        return Stream.of(
                        "",
                        " ",
                        "{\"id\":1",
                        "{\"id\":1}}",
                        "{\"id\":01}",
                        "{\"id\":\"1}",
                        "{\"symbol\":\"IBM\",}",
                        "{\"symbol\":\"\u00ff\"}",
                        "{\"symbol\":\"\n\"}",
                        "[".repeat(65))
                .map(message -> message.getBytes(ISO_8859_1))
                .toList();
    }

    @Override
    public boolean refusesTruncation() {
        return true;
    }
}
