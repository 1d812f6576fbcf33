package io.penstock.standalone.config;

import io.penstock.broker.config.ConfigException;
import io.penstock.broker.config.ConfigValue;
import io.penstock.broker.config.ConfigValue.Mapping;
import io.penstock.broker.config.ConfigValue.Scalar;
import io.penstock.broker.config.ConfigValue.Sequence;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** Reads a YAML file, keeping the line of every value. */
final class YamlReader {
    private static final int DEPTH_MAX = 16;
    private static final int FILE_LENGTH_MAX = 1024 * 1024;

    private final String name;

    private YamlReader(final Path file) {
        name = file.toString();
    }

    static Mapping read(final Path file) {
        return new YamlReader(file).document(file);
    }

    private Mapping document(final Path file) {
        final LoadSettings settings = LoadSettings.builder()
                .setLabel(name)
                .setCodePointLimit(FILE_LENGTH_MAX)
                .setMaxAliasesForCollections(0)
                .build();
        try {
            if (Files.size(file) > FILE_LENGTH_MAX) {
                throw new ConfigException(name, "longer than " + FILE_LENGTH_MAX + " bytes (is it the right file?)");
            }
            final Optional<Node> root = new Compose(settings).composeString(Files.readString(file));
            if (root.isEmpty()) {
                return Mapping.empty(name);
            }
            if (value(root.get(), "the file", 0) instanceof Mapping mapping) {
                // What is left out stands in no line.
                return new Mapping(mapping.entries(), name);
            }
            throw new ConfigException(origin(root.get()), "not keys with values (write 'key: value' lines)");
        } catch (final NoSuchFileException e) {
            throw new ConfigException(name, "no such file (give the path of a YAML file)");
        } catch (final MalformedInputException e) {
            throw new ConfigException(name, "not UTF-8 text (save it as UTF-8)");
        } catch (final IOException e) {
            throw new ConfigException(
                    name, "cannot be read: " + e.getMessage() + " (check that it is a readable file)");
        } catch (final MarkedYamlEngineException e) {
            throw new ConfigException(
                    e.getProblemMark().map(this::origin).orElse(name),
                    "not YAML: " + e.getProblem() + " (check the quotes, colons and indentation there)");
        } catch (final YamlEngineException e) {
            throw new ConfigException(
                    name,
                    "not YAML: "
                            + String.valueOf(e.getMessage()).lines().findFirst().orElse("") + " (check the file)");
        }
    }

    private ConfigValue value(final Node node, final String key, final int depth) {
        if (depth > DEPTH_MAX) {
            throw new ConfigException(
                    origin(node), key + ": nested too deeply (use " + DEPTH_MAX + " levels or fewer)");
        }
        if (node instanceof MappingNode mapping) {
            return mapping(mapping, depth);
        }
        if (node instanceof SequenceNode sequence) {
            final List<ConfigValue> elements = new ArrayList<>();
            for (final Node element : sequence.getValue()) {
                elements.add(value(element, key, depth + 1));
            }
            return new Sequence(elements, origin(node));
        }
        final ScalarNode scalar = (ScalarNode) node;
        if (scalar.getTag().equals(Tag.NULL)) {
            throw new ConfigException(origin(node), key + ": has no value (give one, or leave the key out)");
        }
        return new Scalar(scalar.getValue(), origin(node));
    }

    private Mapping mapping(final MappingNode node, final int depth) {
        final Mapping mapping = Mapping.empty(origin(node));
        for (final NodeTuple tuple : node.getValue()) {
            if (!(tuple.getKeyNode() instanceof ScalarNode keyNode)) {
                throw new ConfigException(origin(tuple.getKeyNode()), "a key is not a word (write 'key: value')");
            }
            final String key = keyNode.getValue();
            final ConfigValue earlier = mapping.entries().put(key, value(tuple.getValueNode(), key, depth + 1));
            if (earlier != null) {
                throw new ConfigException(
                        origin(keyNode), key + ": given twice: before it at " + earlier.origin() + " (remove one)");
            }
        }
        return mapping;
    }

    private String origin(final Node node) {
        return node.getStartMark().map(this::origin).orElse(name);
    }

    private String origin(final Mark mark) {
        return name + ":" + (mark.getLine() + 1);
    }
}
