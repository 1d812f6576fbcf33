package io.penstock.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** What is in a chart: texts by their kind, and points. */
public final class DrawnChart {
    private static final String CLASS = "class";
    private final Element svg;

    private DrawnChart(final Element svg) {
        this.svg = svg;
    }

    /** Reads a file. */
    public static DrawnChart read(final Path file) throws IOException {
        try (InputStream svg = Files.newInputStream(file)) {
            return new DrawnChart(DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(svg)
                    .getDocumentElement());
        } catch (final ParserConfigurationException | SAXException e) {
            throw new IOException("no SVG: " + file, e);
        }
    }

    /** All that is written in it, of one kind: title, panel or text. */
    public List<String> texts(final String kind) {
        return elements("text").stream()
                .filter(text -> text.getAttribute(CLASS).equals(kind))
                .map(Element::getTextContent)
                .toList();
    }

    /** What each point says: its line, a comma, its step, a colon and its value; those of the legend say the line alone. */
    public List<String> points() {
        return elements("path").stream()
                .filter(path -> path.getAttribute(CLASS).startsWith("point"))
                .map(Element::getTextContent)
                .toList();
    }

    /** How many lines there are in all panels. */
    public long lines() {
        return elements("path").stream()
                        .filter(path -> path.getAttribute(CLASS).startsWith("line"))
                        .count()
                - points().stream().filter(point -> !point.contains(": ")).count();
    }

    private List<Element> elements(final String name) {
        final NodeList found = svg.getElementsByTagName(name);
        final List<Element> elements = new ArrayList<>();
        for (int i = 0; i < found.getLength(); i++) {
            elements.add((Element) found.item(i));
        }
        return elements;
    }
}
