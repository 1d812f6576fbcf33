package io.penstock.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.protocol.codec.LogonEncoder;
import io.penstock.protocol.codec.MessageHeaderEncoder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** Holds the page that others write clients by against the schema and the code. */
class ProtocolDocumentTest {
    private static final Path DOCUMENT = Path.of("../docs/reference/protocol.md");
    private static final Path SCHEMA = Path.of("src/main/sbe/penstock.xml");
    private static final Pattern MESSAGE = Pattern.compile("### (\\w+) \\((\\d+)\\)");
    private static final Pattern BLOCK = Pattern.compile("Block\\s+of\\s+(\\d+)\\s+bytes");
    private static final Map<String, String> TYPES = Map.ofEntries(
            Map.entry("AckTypes", "uint8"),
            Map.entry("AckType", "uint8"),
            Map.entry("SubscribeOptions", "uint32"),
            Map.entry("ReplayOptions", "uint8"),
            Map.entry("LogStart", "uint8"),
            Map.entry("LogEnd", "uint8"),
            Map.entry("IfMissing", "uint8"),
            Map.entry("RateUnit", "uint8"),
            Map.entry("PaceAction", "uint8"),
            Map.entry("PublishOptions", "uint8"),
            Map.entry("DeliveryKind", "uint8"),
            Map.entry("SowAsOf", "uint8"),
            Map.entry("varText", "text"),
            Map.entry("varToken", "token"),
            Map.entry("varPayload", "bytes"));
    private static final Map<String, Integer> LENGTHS =
            Map.of("uint8", 1, "uint16", 2, "uint32", 4, "int32", 4, "int64", 8);

    private final List<String> lines = Files.readAllLines(DOCUMENT);

    ProtocolDocumentTest() throws IOException {}

    @Test
    void shouldDescribeEveryMessageAsTheSchemaDoes() throws Exception {
        assertThat(documented()).isEqualTo(inSchema());
    }

    @Test
    void shouldListEveryError() {
        final Map<Integer, String> documented = new TreeMap<>();
        for (final String[] row : rows("## Errors", "code")) {
            documented.put(Integer.valueOf(row[0]), row[1]);
        }
        final Map<Integer, String> inCode = new TreeMap<>();
        for (final ErrorCode errorCode : ErrorCode.values()) {
            inCode.put(errorCode.code(), errorCode.name());
        }
        assertThat(documented).isEqualTo(inCode);
    }

    @Test
    void shouldDescribeTheRecordAsItLies() {
        assertThat(offsets("### Record"))
                .containsEntry("length", RecordDescriptor.LENGTH_OFFSET)
                .containsEntry("type", RecordDescriptor.TYPE_OFFSET)
                .containsEntry("flags", RecordDescriptor.FLAGS_OFFSET)
                .containsEntry("trailerLength", RecordDescriptor.TRAILER_LENGTH_OFFSET)
                .containsEntry("sequence", RecordDescriptor.SEQUENCE_OFFSET)
                .containsEntry("timestamp", RecordDescriptor.TIMESTAMP_OFFSET)
                .containsEntry("topicId", RecordDescriptor.TOPIC_ID_OFFSET)
                .containsEntry("publisherId", RecordDescriptor.PUBLISHER_ID_OFFSET)
                .containsEntry("publisherSequence", RecordDescriptor.PUBLISHER_SEQUENCE_OFFSET)
                .containsEntry("epoch", RecordDescriptor.EPOCH_OFFSET)
                .containsEntry("checksum", RecordDescriptor.CHECKSUM_OFFSET)
                .hasSize(11);
    }

    @Test
    void shouldDescribeTheHeaderAsItLies() {
        assertThat(offsets("### Header"))
                .containsEntry("blockLength", FrameHeader.BLOCK_LENGTH_OFFSET)
                .containsEntry("templateId", FrameHeader.TEMPLATE_ID_OFFSET)
                .containsEntry("schemaId", FrameHeader.SCHEMA_ID_OFFSET)
                .containsEntry("version", FrameHeader.VERSION_OFFSET)
                .hasSize(4);
    }

    @Test
    void shouldGiveAnExampleThatIsRight() {
        final StringBuilder hex = new StringBuilder();
        final int end = lines.lastIndexOf("```");
        final int start = lines.subList(0, end).lastIndexOf("```");
        for (final String line : lines.subList(start + 1, end)) {
            hex.append(line.substring(0, line.indexOf("   ")).replace(" ", ""));
        }
        final byte[] expected = new byte[4 + 30];
        final UnsafeBuffer buffer = new UnsafeBuffer(expected);
        buffer.putInt(0, 30, java.nio.ByteOrder.LITTLE_ENDIAN);
        new LogonEncoder()
                .wrapAndApplyHeader(buffer, 4, new MessageHeaderEncoder())
                .commandId(1)
                .heartbeatIntervalMs(0)
                .clientName("")
                .user("")
                .password("")
                .mechanism("")
                .putToken(new byte[0], 0, 0);
        assertThat(HexFormat.of().parseHex(hex)).isEqualTo(expected);
    }

    /** Each message as text: its block's length, fields with offset and type, variable fields with type. */
    private Map<Integer, String> documented() {
        final Map<Integer, String> messages = new TreeMap<>();
        for (int i = 0; i < lines.size(); i++) {
            final Matcher matcher = MESSAGE.matcher(lines.get(i));
            if (matcher.matches()) {
                messages.put(Integer.valueOf(matcher.group(2)), documented(matcher.group(1), lines.get(i)));
            }
        }
        return messages;
    }

    private String documented(final String name, final String heading) {
        final List<String> fields = new ArrayList<>();
        int end = 0;
        for (final String[] row : rows(heading, "offset")) {
            assertThat(row[3]).as("length of %s.%s", name, row[1]).isEqualTo(String.valueOf(LENGTHS.get(row[2])));
            fields.add(row[0] + " " + row[1] + " " + row[2]);
            end = Integer.parseInt(row[0]) + Integer.parseInt(row[3]);
        }
        int order = 1;
        for (final String[] row : rows(heading, "order")) {
            assertThat(row[0]).as("order of %s.%s", name, row[1]).isEqualTo(String.valueOf(order++));
            fields.add(row[1] + " " + row[2]);
        }
        final Matcher block = BLOCK.matcher(String.join(" ", section(heading)));
        assertThat(block.find()).as("%s states its block's length", name).isTrue();
        assertThat(Integer.parseInt(block.group(1))).as("block of %s", name).isEqualTo(end);
        return name + " " + end + " " + fields;
    }

    private static Map<Integer, String> inSchema() throws Exception {
        final var messages = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(SCHEMA.toFile())
                .getElementsByTagName("sbe:message");
        final Map<Integer, String> descriptions = new TreeMap<>();
        for (int i = 0; i < messages.getLength(); i++) {
            final Element message = (Element) messages.item(i);
            final List<String> fields = new ArrayList<>();
            int offset = 0;
            for (Node child = message.getFirstChild(); child != null; child = child.getNextSibling()) {
                if (child instanceof Element field) {
                    final String sbeType = field.getAttribute("type");
                    final String type = TYPES.getOrDefault(sbeType, sbeType.toLowerCase(Locale.ROOT));
                    final String nameAndType = field.getAttribute("name") + " " + type;
                    final boolean isVariable = field.getTagName().equals("data");
                    fields.add(isVariable ? nameAndType : offset + " " + nameAndType);
                    offset += isVariable ? 0 : LENGTHS.getOrDefault(type, 0);
                }
            }
            descriptions.put(
                    Integer.valueOf(message.getAttribute("id")),
                    message.getAttribute("name") + " " + offset + " " + fields);
        }
        return descriptions;
    }

    private Map<String, Integer> offsets(final String heading) {
        final Map<String, Integer> offsets = new TreeMap<>();
        for (final String[] row : rows(heading, "offset")) {
            offsets.put(row[1], Integer.valueOf(row[0]));
        }
        return offsets;
    }

    /** The cells of a section's table whose first column has this title. */
    private List<String[]> rows(final String heading, final String firstColumn) {
        final List<String[]> rows = new ArrayList<>();
        boolean isTable = false;
        for (final String line : section(heading)) {
            if (line.startsWith("| " + firstColumn + " |")) {
                isTable = true;
            } else if (isTable && !line.startsWith("|")) {
                return rows;
            } else if (isTable && !line.startsWith("| ---")) {
                rows.add(Arrays.stream(line.substring(1).split("\\|"))
                        .map(String::strip)
                        .toArray(String[]::new));
            }
        }
        return rows;
    }

    private List<String> section(final String heading) {
        final int start = lines.indexOf(heading);
        assertThat(start).as("heading %s", heading).isNotNegative();
        int end = start + 1;
        while (end < lines.size() && !lines.get(end).startsWith("#")) {
            end++;
        }
        return lines.subList(start, end);
    }
}
