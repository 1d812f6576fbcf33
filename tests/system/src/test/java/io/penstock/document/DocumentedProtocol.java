package io.penstock.document;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Builds and reads frames from nothing but the tables of the protocol's document. */
final class DocumentedProtocol {
    private static final Path DOCUMENT = Path.of("../../docs/reference/protocol.md");
    private static final Pattern HEADING = Pattern.compile("### (\\w+)(?: \\((\\d+)\\))?");
    private static final Pattern BLOCK_LENGTH = Pattern.compile(".*Block of (\\d+) bytes.*");
    private static final Pattern HEADER_LENGTH = Pattern.compile("Header of (\\d+) bytes.*");
    private static final Pattern FIXED_FIELD =
            Pattern.compile("\\| (\\d+) \\| (\\w+) \\| (u?int\\d+) \\| (\\d+) \\| (.*) \\|");
    private static final Pattern VARIABLE_FIELD =
            Pattern.compile("\\| (\\d+) \\| (\\w+) \\| (text|bytes|token) \\| .* \\|");
    private static final int HEADER = 8;
    /** That of the page. */
    private static final int VERSION = 3;

    private static final int FRAME_LENGTH_MAX = 64 * 1024;

    private final Map<String, Layout> layouts = new LinkedHashMap<>();
    private final Map<Integer, Layout> byTemplate = new HashMap<>();

    DocumentedProtocol() throws IOException {
        Layout layout = null;
        for (final String line : Files.readAllLines(DOCUMENT)) {
            final Matcher heading = HEADING.matcher(line);
            if (heading.matches()) {
                layout =
                        new Layout(heading.group(1), heading.group(2) == null ? 0 : Integer.parseInt(heading.group(2)));
                layouts.put(layout.name, layout);
                byTemplate.put(layout.templateId, layout);
            } else if (line.startsWith("#")) {
                layout = null;
            } else if (layout != null) {
                layout.add(line);
            }
        }
    }

    Map<String, Layout> layouts() {
        return layouts;
    }

    /** A frame of a message, with its length before it as on tcp; fields that are not given are 0 or empty. */
    byte[] frame(final String message, final Map<String, Object> fields) {
        final Layout layout = layouts.get(message);
        final ByteBuffer frame = ByteBuffer.allocate(FRAME_LENGTH_MAX).order(ByteOrder.LITTLE_ENDIAN);
        final ByteBuffer body =
                frame.slice(Integer.BYTES, FRAME_LENGTH_MAX - Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        final Layout header = layouts.get("Header");
        header.put(body, 0, "blockLength", layout.blockLength);
        header.put(body, 0, "templateId", layout.templateId);
        header.put(body, 0, "schemaId", Long.parseLong(header.meaning("schemaId")));
        header.put(body, 0, "version", VERSION);
        for (final Fixed field : layout.fixed) {
            layout.put(body, HEADER, field.name, ((Number) fields.getOrDefault(field.name, 0L)).longValue());
        }
        body.position(HEADER + layout.blockLength);
        for (final Variable field : layout.variable) {
            final byte[] bytes = fields.getOrDefault(field.name, "").toString().getBytes(UTF_8);
            if (field.type.equals("bytes")) {
                body.putInt(bytes.length);
            } else {
                body.putShort((short) bytes.length);
            }
            body.put(bytes);
        }
        frame.putInt(0, body.position());
        final byte[] result = new byte[Integer.BYTES + body.position()];
        frame.get(0, result);
        return result;
    }

    /** Reads a frame that came without its length. */
    Parsed parse(final byte[] frame) {
        final ByteBuffer body = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
        final Layout header = layouts.get("Header");
        final Layout layout = byTemplate.get((int) header.get(body, 0, "templateId"));
        final Map<String, Object> fields = new HashMap<>();
        for (final Fixed field : layout.fixed) {
            fields.put(field.name, layout.get(body, HEADER, field.name));
        }
        body.position(HEADER + (int) header.get(body, 0, "blockLength"));
        for (final Variable field : layout.variable) {
            final byte[] bytes =
                    new byte[field.type.equals("bytes") ? body.getInt() : Short.toUnsignedInt(body.getShort())];
            body.get(bytes);
            fields.put(field.name, new String(bytes, UTF_8));
        }
        return new Parsed(layout.name, fields, body.slice().order(ByteOrder.LITTLE_ENDIAN));
    }

    /** Reads the run of records that follows the block of a Deliver. */
    List<Map<String, Object>> records(final ByteBuffer run) {
        final Layout layout = layouts.get("Record");
        final List<Map<String, Object>> records = new ArrayList<>();
        for (int at = 0; at < run.limit(); ) {
            final Map<String, Object> record = new HashMap<>();
            for (final Fixed field : layout.fixed) {
                record.put(field.name, layout.get(run, at, field.name));
            }
            final int length = (int) layout.get(run, at, "length");
            final int trailerLength = (int) layout.get(run, at, "trailerLength");
            final byte[] payload = new byte[length - layout.blockLength - trailerLength];
            run.get(at + layout.blockLength, payload);
            record.put("payload", new String(payload, UTF_8));
            final byte[] trailer = new byte[trailerLength];
            run.get(at + layout.blockLength + payload.length, trailer);
            record.put("trailer", new String(trailer, UTF_8));
            records.add(record);
            at += (length + 7) / 8 * 8;
        }
        return records;
    }

    /** A frame that was read. */
    record Parsed(String name, Map<String, Object> fields, ByteBuffer rest) {}

    /** The tables of one message. */
    static final class Layout {
        final String name;
        final int templateId;
        final List<Fixed> fixed = new ArrayList<>();
        final List<Variable> variable = new ArrayList<>();
        int blockLength;
        private String lineBefore = "";

        private Layout(final String name, final int templateId) {
            this.name = name;
            this.templateId = templateId;
        }

        private void add(final String line) {
            // A sentence may go on in the next line.
            final Matcher block = BLOCK_LENGTH.matcher(lineBefore + ' ' + line);
            lineBefore = line;
            final Matcher header = HEADER_LENGTH.matcher(line);
            final Matcher fixedField = FIXED_FIELD.matcher(line);
            final Matcher variableField = VARIABLE_FIELD.matcher(line);
            if (block.matches()) {
                blockLength = Integer.parseInt(block.group(1));
            } else if (header.matches()) {
                blockLength = Integer.parseInt(header.group(1));
            } else if (fixedField.matches()) {
                fixed.add(new Fixed(
                        fixedField.group(2),
                        Integer.parseInt(fixedField.group(1)),
                        fixedField.group(3),
                        Integer.parseInt(fixedField.group(4)),
                        fixedField.group(5)));
            } else if (variableField.matches()) {
                variable.add(new Variable(variableField.group(2), variableField.group(3)));
            }
        }

        private String meaning(final String field) {
            return field(field).meaning;
        }

        private Fixed field(final String field) {
            return fixed.stream()
                    .filter(each -> each.name.equals(field))
                    .findFirst()
                    .orElseThrow();
        }

        private void put(final ByteBuffer buffer, final int base, final String name, final long value) {
            final Fixed field = field(name);
            for (int i = 0; i < field.length; i++) {
                buffer.put(base + field.offset + i, (byte) (value >> (i * Byte.SIZE)));
            }
        }

        private long get(final ByteBuffer buffer, final int base, final String name) {
            final Fixed field = field(name);
            long value = 0;
            for (int i = field.length - 1; i >= 0; i--) {
                value = value << Byte.SIZE | Byte.toUnsignedLong(buffer.get(base + field.offset + i));
            }
            final int unused = Long.SIZE - field.length * Byte.SIZE;
            return field.type.startsWith("u") ? value : value << unused >> unused;
        }
    }

    /** A row of a table of fixed fields. */
    record Fixed(String name, int offset, String type, int length, String meaning) {}

    /** A row of a table of variable fields. */
    record Variable(String name, String type) {}
}
