/**
 * Find what modules, style sheets and templates use that the oldest browsers lack.
 *
 * Reads one JSON object, {packages, browsers, project, sheets, templates}: a folder with TypeScript, css-tree and the
 * browser compatibility data; name in that data → oldest version; the path of a tsconfig.json; path → text of each
 * style sheet and template. Writes a list of {file, line, feature, missing}: `feature` is a key of the data, `missing` says
 * which browsers lack it. What is guarded is left out: what stands in `@supports`, a declaration after one that every
 * browser reads, a member that is called or read by `?.()`, or that its function looks for by `"name" in`.
 */
const fs = require("node:fs");
const path = require("node:path");
const { createRequire } = require("node:module");

const input = JSON.parse(fs.readFileSync(0, "utf8"));
const fetched = createRequire(path.join(input.packages, "package.json"));
const ts = fetched("typescript");
const css = fetched("css-tree");
const data = fetched("@mdn/browser-compat-data");

/** Units whose key in the data is another word, by what they end or begin with. */
const UNITS = [
  [/^cq/, "container_query_length_units"],
  [/^d(v|vh|vw|vi|vb|vmin|vmax)$/, "viewport_percentage_units_dynamic"],
  [/^s(vh|vw|vi|vb|vmin|vmax)$/, "viewport_percentage_units_small"],
  [/^l(vh|vw|vi|vb|vmin|vmax)$/, "viewport_percentage_units_large"],
];
const REGULAR = "javascript.regular_expressions.";
/** Parts of regular expressions by their key in the data. */
const PATTERNS = [
  [/\(\?<[=!]/, `${REGULAR}lookbehind_assertion`],
  [/\(\?<\w/, `${REGULAR}named_capturing_group`],
  [/\\p\{/, `${REGULAR}unicode_character_class_escape`],
  [/\(\?[ims]*-?[ims]*:(?<!\(\?:)/, `${REGULAR}modifier`],
];
const FLAGS = { d: "hasIndices", s: "dotAll", u: "unicode", v: "unicodeSets", y: "sticky" };
const SELECTING = new Set(["querySelector", "querySelectorAll", "closest", "matches"]);
/** Interfaces whose members the data has under another one. */
const OF_MIXINS = ["Element", "HTMLElement", "Node", "Document", "Window", "Event", "EventTarget"];

const found = [];

/** The part of the data at a key, or undefined. */
const at = (key) =>
  key.split(".").reduce((part, name) => (Object.hasOwn(part ?? {}, name) ? part[name] : undefined), data);

/** A version as numbers that can be compared. */
const numbers = (version) => String(version).replace("≤", "").split(".").map(Number);

function isAtMost(version, bound) {
  const [ours, theirs] = [numbers(version), numbers(bound)];
  const differing = [0, 1, 2].find((i) => (ours[i] ?? 0) !== (theirs[i] ?? 0));
  return differing === undefined || (ours[differing] ?? 0) < (theirs[differing] ?? 0);
}

function isIn(statement, oldest) {
  const { version_added: since, version_removed: until, flags, prefix, alternative_name: other } = statement;
  if (typeof since !== "string" || since === "preview" || flags || prefix || other) return false;
  return isAtMost(since, oldest) && !(typeof until === "string" && isAtMost(until, oldest));
}

/** Which of the oldest browsers lack what a key names, with the version that has it; "" if none does. */
function missing(key) {
  const support = at(key)?.__compat?.support;
  if (!support) return "";
  const lacking = Object.entries(input.browsers).filter(([browser, oldest]) =>
    ![support[browser] ?? []].flat().some((statement) => isIn(statement, oldest)));
  return lacking.map(([browser]) => `${browser} ${[support[browser]].flat()[0]?.version_added || "–"}`).join(", ");
}

function note(file, line, key) {
  const lacking = missing(key);
  if (lacking) found.push({ file, line, feature: key, missing: lacking });
  return Boolean(lacking);
}

// Style sheets

/** The keys of what a value is made of; `name` is the property's. */
function keysOfValue(name, value) {
  const keys = [];
  css.walk(value, (node) => {
    if (node.type === "Dimension") {
      const unit = node.unit.toLowerCase();
      keys.push(`css.types.length.${UNITS.find(([pattern]) => pattern.test(unit))?.[1] ?? unit}`);
    } else if (node.type === "Identifier") {
      keys.push(`css.properties.${name}.${node.name}`, `css.types.color.${node.name}`);
    } else if (node.type === "Function") {
      const ofTypes = Object.keys(data.css.types).map((type) => `css.types.${type}.${node.name}`);
      keys.push(`css.properties.${name}.${node.name}`, `css.types.${node.name}`, ...ofTypes);
    }
  });
  return keys;
}

function keysOfSelector(selector) {
  const keys = [];
  css.walk(selector, (node) => {
    if (node.type === "NestingSelector") keys.push("css.selectors.nesting");
    if (!/^Pseudo/.test(node.type)) return;
    keys.push(`css.selectors.${node.name}`);
    const list = node.children?.first;
    if (node.name === "not" && list?.type === "SelectorList" && list.children.size > 1) {
      keys.push("css.selectors.not.selector_list");
    }
    if (list?.type === "Nth" && list.selector) keys.push(`css.selectors.${node.name}.of_syntax`);
  });
  return keys;
}

function keysOfRule(rule) {
  const keys = [`css.at-rules.${rule.name}`];
  if (rule.prelude) {
    css.walk(rule.prelude, (node) => {
      if (node.type === "FeatureRange") keys.push(`css.at-rules.${rule.name}.range_syntax`);
      if (node.type === "Feature" || node.type === "FeatureRange") {
        const name = node.name ?? node.middle?.name ?? node.left?.name;
        keys.push(`css.at-rules.${rule.name}.${String(name).replace(/^(min|max)-/, "")}`);
      }
    });
  }
  return keys;
}

function readSheet(file, text) {
  const fail = ({ line, message }) => found.push({ file, line, feature: "syntax", missing: message });
  const tree = css.parse(text, { positions: true, parseCustomProperty: true, onParseError: fail });
  const say = (node, keys) => {
    for (const key of new Set(keys)) note(file, node.loc.start.line, key);
  };
  /** For each open block the properties that every browser has read in it. */
  const blocks = [];
  let guards = 0, rules = 0;
  css.walk(tree, {
    enter(node) {
      if (node.type === "Atrule") {
        if (node.name === "supports") guards += 1;
        if (!guards) say(node, keysOfRule(node));
      } else if (node.type === "Rule") {
        if (rules && !guards) say(node, ["css.selectors.nesting"]);
        if (!this.atrule || !/keyframes$/.test(this.atrule.name)) rules += 1;
        if (!guards && node.prelude.type === "SelectorList") say(node, keysOfSelector(node.prelude));
      } else if (node.type === "Block") {
        blocks.push(new Set());
      } else if (node.type === "Declaration" && !guards) {
        readDeclaration(node, blocks.at(-1) ?? new Set(), say);
      }
    },
    leave(node) {
      if (node.type === "Atrule" && node.name === "supports") guards -= 1;
      if (node.type === "Block") blocks.pop();
      if (node.type === "Rule" && (!this.atrule || !/keyframes$/.test(this.atrule.name))) rules -= 1;
    },
  });
}

/** Note what a declaration needs, unless one before it in the block says the same for older browsers. */
function readDeclaration(node, read, say) {
  const isKnown = !node.property.startsWith("--");
  const keys = [...(isKnown ? [`css.properties.${node.property}`] : []), ...keysOfValue(node.property, node.value)];
  if (keys.every((key) => !missing(key))) read.add(node.property.replace(/^-(webkit|moz)-/, ""));
  else if (!isKnown || !read.has(node.property)) say(node, keys);
}

// Templates

const TAG = /<([a-z][a-z0-9]*)((?:\s+[^\s<>="'/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+))?)*)\s*\/?>/g;
const ATTRIBUTE = /([^\s<>="'/]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'<>]+))?/g;

function readTemplate(file, source) {
  const text = source.replace(/\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}/gs, (code) => code.replace(/[^\n]/g, " "));
  for (const { 1: tag, 2: attributes, index } of text.matchAll(TAG)) {
    const line = text.slice(0, index).split("\n").length;
    note(file, line, `html.elements.${tag}`);
    for (const [, name, value] of attributes.matchAll(ATTRIBUTE)) {
      readAttribute(file, line, tag, name, (value ?? "").replace(/["']/g, ""));
    }
  }
}

function readAttribute(file, line, tag, name, value) {
  const own = `html.elements.${tag}.${name}`;
  note(file, line, at(own) ? own : `html.global_attributes.${name}`);
  if (value) note(file, line, `html.elements.${tag}.${name === "type" ? `type_${value}` : `${name}.${value}`}`);
}

// Modules

function readModules() {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} };
  const settings = ts.getParsedCommandLineOfConfigFile(input.project, {}, host);
  // All that there is: what the project's own `lib` leaves out is found here, too, by its name in the data.
  const lib = ["lib.esnext.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"];
  const program = ts.createProgram(settings.fileNames, { ...settings.options, lib });
  const checker = program.getTypeChecker();
  for (const source of program.getSourceFiles()) {
    if (!source.isDeclarationFile && !program.isSourceFileFromExternalLibrary(source)) readModule(source, checker);
  }
}

function readModule(source, checker) {
  const say = (node, key) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    note(source.fileName, line + 1, key);
  };
  const visit = (node) => {
    for (const key of keysOfSyntax(node)) say(node, key);
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
      const key = keyOfName(node, checker);
      if (key && !isGuarded(node)) say(node, key);
    } else if (ts.isCallExpression(node)) {
      for (const key of keysOfCall(node, checker)) say(node, key);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}

/** The keys of a node's own syntax. */
function keysOfSyntax(node) {
  const K = ts.SyntaxKind, keys = [], add = (key) => keys.push(`javascript.${key}`);
  if (node.kind === K.ClassStaticBlockDeclaration) add("classes.static.initialization_blocks");
  if (node.kind === K.PropertyDeclaration) add("classes.public_class_fields");
  if (ts.isPrivateIdentifier(node)) add("classes.private_class_fields");
  if (ts.isMethodDeclaration(node) && ts.isPrivateIdentifier(node.name)) add("classes.private_class_methods");
  if (node.kind === K.BinaryExpression) {
    const operator = node.operatorToken.kind;
    if (operator === K.QuestionQuestionToken) add("operators.nullish_coalescing");
    if (operator === K.QuestionQuestionEqualsToken) add("operators.nullish_coalescing_assignment");
    if (operator === K.BarBarEqualsToken) add("operators.logical_or_assignment");
    if (operator === K.AmpersandAmpersandEqualsToken) add("operators.logical_and_assignment");
    if (operator === K.InKeyword && ts.isPrivateIdentifier(node.left)) add("classes.private_class_fields_in");
  }
  if (node.questionDotToken) add("operators.optional_chaining");
  if (node.kind === K.NumericLiteral && node.getText().includes("_")) add("grammar.numeric_separators");
  if (ts.isAwaitExpression(node) && !ts.findAncestor(node, ts.isFunctionLike)) add("operators.await.top_level");
  if (ts.isImportDeclaration(node) && node.attributes) add("statements.import.import_attributes");
  if (ts.isPropertyAccessExpression(node) && ts.isMetaProperty(node.expression)) {
    add(`operators.import_meta.${node.name.text}`);
  }
  if (ts.isRegularExpressionLiteral(node)) keys.push(...keysOfPattern(node.text));
  return keys;
}

function keysOfPattern(text) {
  const [, pattern, flags] = /^\/(.*)\/(\w*)$/s.exec(text);
  const own = PATTERNS.filter(([part]) => part.test(pattern)).map(([, key]) => key);
  const named = [...flags].filter((flag) => FLAGS[flag]);
  return [...own, ...named.map((flag) => `javascript.builtins.RegExp.${FLAGS[flag]}`)];
}

/** The key of what an identifier names that the language or the browser brings, or "". */
function keyOfName(node, checker) {
  const symbol = checker.getSymbolAtLocation(node);
  const declared = symbol?.declarations?.find((each) => /\/lib\.[\w.]+\.d\.ts$/.test(each.getSourceFile().fileName));
  if (!declared || ts.isTypeNode(node.parent) || ts.findAncestor(node, ts.isJSDoc)) return "";
  const owner = declared.parent;
  if (!ts.isInterfaceDeclaration(owner)) {
    return [`javascript.builtins.${symbol.name}`, `api.${symbol.name}`, `api.Window.${symbol.name}`].find(at) ?? "";
  }
  const access = node.parent;
  const isMember = ts.isPropertyAccessExpression(access) && access.name === node;
  const names = isMember ? namesOfType(checker.getTypeAtLocation(access.expression), checker) : [];
  return keyOfMember(symbol.name, [owner.name.text, ...names]);
}

/** The names of a type, its parts and what they extend. */
function namesOfType(type, checker) {
  const parts = type.isUnionOrIntersection() ? type.types : [checker.getApparentType(type)];
  return parts.flatMap((part) => {
    const bases = part.isClassOrInterface() ? checker.getBaseTypes(part) : [];
    return [part.symbol?.name ?? "", ...bases.flatMap((base) => namesOfType(base, checker))];
  }).filter(Boolean);
}

function keyOfMember(name, owners) {
  if (owners.includes("CSSStyleDeclaration")) {
    return `css.properties.${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  }
  const classes = owners.map((owner) => owner.replace(/Constructor$|^Readonly(?=Array|Set|Map)/g, ""));
  const keysOf = (owner) => [`javascript.builtins.${owner}.${name}`, `api.${owner}.${name}`, `api.${owner}.${name}_static`];
  return [...classes, ...OF_MIXINS].flatMap(keysOf).find(at) ?? "";
}

/** Whether a member is only called or read where the browser has it. */
function isGuarded(node) {
  const access = node.parent;
  if (ts.isPropertyAccessExpression(access) && access.name === node && access.parent?.questionDotToken) return true;
  if (ts.findAncestor(node, ts.isTypeOfExpression)) return true;
  const around = ts.findAncestor(node, ts.isFunctionLike);
  return Boolean(around) && new RegExp(`["']${node.text}["'] in `).test(around.getText());
}

/** The keys of what a call names in its texts: selectors, events, attributes, properties of key frames. */
function keysOfCall(node, checker) {
  const name = ts.isPropertyAccessExpression(node.expression) ? node.expression.name.text : node.expression.getText();
  const [first, second] = node.arguments;
  const text = first && (ts.isStringLiteralLike(first) ? first.text : "");
  if (SELECTING.has(name) && first) return keysOfSelectorText(first);
  if (name === "addEventListener" && text) return [keyOfMember(`${text}_event`, [])];
  if ((name === "setAttr" || name === "setAttribute") && second) {
    const attribute = node.arguments.find(ts.isStringLiteralLike);
    return attribute ? [`html.global_attributes.${attribute.text}`] : [];
  }
  if (name === "h" && text && second && ts.isObjectLiteralExpression(second)) return keysOfElement(text, second);
  if (name === "animate") return namesInside(node).map((each) => `css.properties.${each}`);
  return [];
}

function keysOfSelectorText(node) {
  // What is filled in is a name or a number.
  const code = ts.isStringLiteralLike(node) ? node.text : node.getText().replace(/^`|`$/g, "");
  const text = code.replace(/\$\{[^}]*\}/g, "x");
  try {
    return keysOfSelector(css.parse(text, { context: "selectorList" }));
  } catch {
    return [];
  }
}

function keysOfElement(tag, properties) {
  const names = properties.properties.map((each) => each.name?.text).filter(Boolean);
  return [`html.elements.${tag}`, ...names.map((name) => {
    const own = `html.elements.${tag}.${name}`;
    return at(own) ? own : `html.global_attributes.${name}`;
  })];
}

function namesInside(node) {
  const names = [];
  const visit = (part) => {
    const own = ts.isObjectLiteralExpression(part) ? part.properties : [];
    names.push(...own.map((each) => each.name?.text).filter(Boolean));
    ts.forEachChild(part, visit);
  };
  node.arguments.forEach(visit);
  return names.map((name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));
}

for (const [file, text] of Object.entries(input.sheets)) readSheet(file, text);
for (const [file, text] of Object.entries(input.templates)) readTemplate(file, text);
readModules();
process.stdout.write(JSON.stringify(found));
