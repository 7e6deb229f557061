import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Prints every reference to chosen methods, as javac resolves them: number, mark, path, line and column (code points) of the name, by tabs.
 *
 * <p>The mark is j for the method itself and o for another method of the sources that overrides it, is overridden by it, or shares with it
 * a method that both override. Arguments: folder of the sources, class path, file with a path, line and column for each chosen method.
 */
public final class References {
    private final Path root;
    private final Trees trees;
    private final Elements elements;
    private final Types types;
    private final Map<ExecutableElement, Set<ExecutableElement>> roots = new HashMap<>();
    private final Map<ExecutableElement, List<Spot>> spots = new HashMap<>();
    private final Map<Spot, ExecutableElement> declared = new HashMap<>();

    private record Spot(String path, long line, long column) {}

    public static void main(String[] args) throws Exception {
        Path root = Path.of(args[0]);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
        List<Path> sources;
        try (var walk = Files.walk(root)) {
            sources = walk.filter(p -> p.toString().endsWith(".java") && !p.endsWith("module-info.java")).sorted().toList();
        }
        List<String> options = List.of("-proc:none", "-cp", args[1], "-XDshould-stop.ifError=FLOW", "-nowarn", "-Xmaxerrs", "10000");
        JavacTask task =
                (JavacTask) compiler.getTask(null, files, each -> {
                    if (each.getKind() == javax.tools.Diagnostic.Kind.ERROR) {
                        System.err.println(each);
                    }
                }, options, null, files.getJavaFileObjectsFromPaths(sources));
        List<CompilationUnitTree> units = new ArrayList<>();
        task.parse().forEach(units::add);
        task.analyze();
        References references = new References(root, task);
        for (CompilationUnitTree unit : units) {
            references.read(unit);
        }
        references.print(Files.readAllLines(Path.of(args[2])));
    }

    private References(Path root, JavacTask task) {
        this.root = root;
        this.trees = Trees.instance(task);
        this.elements = task.getElements();
        this.types = task.getTypes();
    }

    private void print(List<String> asked) {
        for (int number = 0; number < asked.size(); number++) {
            String[] words = asked.get(number).split("\t");
            ExecutableElement method = declared.get(new Spot(words[0], Long.parseLong(words[1]), Long.parseLong(words[2])));
            if (method == null) {
                System.err.println("no method is declared at " + asked.get(number));
                continue;
            }
            print(number, "j", method);
            for (ExecutableElement other : spots.keySet()) {
                if (other != method && other.getSimpleName().equals(method.getSimpleName()) && related(method, other)) {
                    print(number, "o", other);
                }
            }
        }
    }

    private void print(int number, String mark, ExecutableElement method) {
        for (Spot spot : spots.getOrDefault(method, List.of())) {
            System.out.println(number + "\t" + mark + "\t" + spot.path + "\t" + spot.line + "\t" + spot.column);
        }
    }

    private boolean related(ExecutableElement one, ExecutableElement other) {
        Set<ExecutableElement> shared = new HashSet<>(rootsOf(one));
        shared.retainAll(rootsOf(other));
        return !shared.isEmpty();
    }

    /** Methods of the sources that a method overrides and that override none of the sources themselves; itself where there is none. */
    private Set<ExecutableElement> rootsOf(ExecutableElement method) {
        Set<ExecutableElement> known = roots.get(method);
        if (known != null) {
            return known;
        }
        Set<ExecutableElement> found = new HashSet<>();
        TypeElement owner = (TypeElement) method.getEnclosingElement();
        for (TypeElement above : above(owner, new HashSet<>())) {
            for (Element each : above.getEnclosedElements()) {
                boolean ours = each.getKind() == ElementKind.METHOD && trees.getTree(each) != null;
                if (ours && elements.overrides(method, (ExecutableElement) each, owner)) {
                    found.addAll(rootsOf((ExecutableElement) each));
                }
            }
        }
        if (found.isEmpty()) {
            found.add(method);
        }
        roots.put(method, found);
        return found;
    }

    private Set<TypeElement> above(TypeElement type, Set<TypeElement> found) {
        for (TypeMirror each : types.directSupertypes(type.asType())) {
            if (each instanceof DeclaredType declaredType && found.add((TypeElement) declaredType.asElement())) {
                above((TypeElement) declaredType.asElement(), found);
            }
        }
        return found;
    }

    private void read(CompilationUnitTree unit) throws Exception {
        String text = unit.getSourceFile().getCharContent(true).toString();
        String path = root.relativize(Path.of(unit.getSourceFile().toUri())).toString();
        SourcePositions positions = trees.getSourcePositions();
        new TreePathScanner<Void, Void>() {
            @Override
            public Void visitMethod(MethodTree tree, Void nothing) {
                Element element = trees.getElement(getCurrentPath());
                if (element instanceof ExecutableElement method && element.getKind() == ElementKind.METHOD) {
                    long from = tree.getReturnType() == null ? -1 : positions.getEndPosition(unit, tree.getReturnType());
                    Matcher name = Pattern.compile("\\b" + Pattern.quote(tree.getName().toString()) + "\\s*\\(").matcher(text);
                    if (from >= 0 && name.find((int) from)) {
                        declared.put(spot(name.start()), method);
                        note(method, name.start());
                    }
                }
                return super.visitMethod(tree, nothing);
            }

            @Override
            public Void visitIdentifier(IdentifierTree tree, Void nothing) {
                note(trees.getElement(getCurrentPath()), positions.getStartPosition(unit, tree));
                return super.visitIdentifier(tree, nothing);
            }

            @Override
            public Void visitMemberSelect(MemberSelectTree tree, Void nothing) {
                long end = positions.getEndPosition(unit, tree);
                note(trees.getElement(getCurrentPath()), end - tree.getIdentifier().length());
                return super.visitMemberSelect(tree, nothing);
            }

            @Override
            public Void visitMemberReference(MemberReferenceTree tree, Void nothing) {
                long end = positions.getEndPosition(unit, tree);
                note(trees.getElement(getCurrentPath()), end - tree.getName().length());
                return super.visitMemberReference(tree, nothing);
            }

            @Override
            public Void visitImport(ImportTree tree, Void nothing) {
                if (tree.isStatic() && tree.getQualifiedIdentifier() instanceof MemberSelectTree select) {
                    TreePath type = new TreePath(new TreePath(getCurrentPath(), select), select.getExpression());
                    if (trees.getElement(type) instanceof TypeElement owner) {
                        long end = positions.getEndPosition(unit, select);
                        for (Element each : elements.getAllMembers(owner)) {
                            if (each.getSimpleName().equals(select.getIdentifier())) {
                                note(each, end - select.getIdentifier().length());
                            }
                        }
                    }
                }
                return super.visitImport(tree, nothing);
            }

            private void note(Element element, long offset) {
                // The name is compared: a compact or generated use has a place and no name there.
                if (element instanceof ExecutableElement method
                        && method.getKind() == ElementKind.METHOD
                        && offset >= 0
                        && text.startsWith(method.getSimpleName().toString(), (int) offset)) {
                    spots.computeIfAbsent(method, m -> new ArrayList<>()).add(spot((int) offset));
                }
            }

            private Spot spot(int offset) {
                int start = text.lastIndexOf('\n', offset - 1) + 1;
                return new Spot(path, unit.getLineMap().getLineNumber(offset), text.codePointCount(start, offset) + 1);
            }
        }.scan(unit, null);
    }
}
