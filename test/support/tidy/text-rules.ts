import { layerOf } from './import-rules.ts';
import { type SourceTree, sources, withoutComments } from './source-tree.ts';

const FILE_MAX_LINES = 250;
const README_MAX_LINES = 120;

/** Ways to reach the clock, chance, the network or the machine. Time and chance are passed in. */
const IMPURE: readonly [what: string, pattern: RegExp][] = [
  ['the clock', /\bDate\.now\(|\bnew Date\(\)|\bperformance\.|\bhrtime\b/],
  ['chance', /\bMath\.random\b|\brandom(?:UUID|Bytes|Int)\b|\bgetRandomValues\b/],
  ['timers', /\bset(?:Timeout|Interval|Immediate)\(|\bqueueMicrotask\(/],
  ['the network', /(?<![.\w])fetch\(|\bWebSocket\b/],
  ['the process', /\bprocess\.|\bglobalThis\b|\bconsole\./],
  ['code by name', /\bimport\(|\beval\(|\bnew Function\(|\brequire\(/],
];

export function purityViolations(tree: SourceTree): string[] {
  return sources(tree)
    .filter(([path]) => layerOf(path) === 'core' || layerOf(path) === 'flows')
    .flatMap(([path, text]) => {
      const code = withoutComments(text);
      return IMPURE.filter(([, pattern]) => pattern.test(code)).map(
        ([what]) => `${path} must not touch ${what}`,
      );
    });
}

/** The settings of the service, and the one setting of a program that is not ours. */
const READS_ENVIRONMENT: ReadonlySet<string> = new Set([
  'src/main/config/config.ts',
  'src/guard/register.ts',
]);

export function environmentViolations(tree: SourceTree): string[] {
  return sources(tree)
    .filter(([path, text]) => !READS_ENVIRONMENT.has(path) && /\bprocess\.env\b/.test(withoutComments(text)))
    .map(([path]) => `${path} must not read the environment`);
}

/** State outside of functions outlives a request: a `let`, or a constant whose content the file changes. */
export function moduleStateViolations(tree: SourceTree): string[] {
  return sources(tree).flatMap(([path, text]) => {
    const code = withoutComments(text);
    const variables = [...code.matchAll(/^(?:export )?(?:let|var) (\w+)/gm)].map(([, name = '']) => name);
    const constants = [...code.matchAll(MODULE_OBJECT)].map(([, name = '']) => name);
    return [...variables, ...constants.filter((name) => isChanged(name, code))].map(
      (name) => `${path} must not keep state in the module: ${name}`,
    );
  });
}

const MODULE_OBJECT =
  /^(?:export )?const (\w+)(?::[^=]+(?:=>[^=]+)*)? = (?:new (?:Weak)?(?:Map|Set)\b|\[|\{)/gm;
const CHANGES = 'set|add|delete|clear|push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin';

function isChanged(name: string, code: string): boolean {
  const member = `(?<![.\\w])${name}(?:\\.\\w+|\\[[^\\]]*\\])`;
  return new RegExp(
    [
      `(?<![.\\w])${name}\\.(?:${CHANGES})\\(`,
      `Object\\.assign\\(${name}\\b`,
      `${member}+\\s*(?:[-+*/%&|^]|\\*\\*|\\?\\?|&&|\\|\\|)?=(?![=>])`,
      `${member}+(?:\\+\\+|--)`,
      `\\bdelete ${member}`,
    ].join('|'),
  ).test(code);
}

/** A cast silences the compiler, so the line above says why it cannot be wrong. */
export function castViolations(tree: SourceTree): string[] {
  return sources(tree).flatMap(([path, text]) => {
    const lines = text.split('\n');
    return lines.flatMap((line, index) => {
      const explained = /^\s*\/\//.test(lines[index - 1] ?? '');
      return isCast(line) && !explained ? [`${path}:${index + 1} casts without a reason`] : [];
    });
  });
}

function isCast(line: string): boolean {
  if (/^(?:import|export) |^\s*(?:\/\/|\*|\/\*)/.test(line)) return false;
  const code = line.replace(/\s\/\/.*$/, '').replace(/'[^']*'|`[^`]*`/g, "''");
  return /\sas\s(?!const\b)/.test(code);
}

export function lengthViolations(tree: SourceTree): string[] {
  return [...tree].flatMap(([path, text]) => {
    const limit =
      path === 'README.md'
        ? README_MAX_LINES
        : path.endsWith('.ts')
          ? FILE_MAX_LINES
          : Number.POSITIVE_INFINITY;
    const lines = text.split('\n').length - 1;
    return lines > limit ? [`${path} has ${lines} lines, more than ${limit}`] : [];
  });
}

/** Names that say nothing about what is inside. */
const EMPTY_NAMES = /^(?:utils?|helpers?|common|types|misc|manager|service|index)\.ts$/;

export function nameViolations(tree: SourceTree): string[] {
  return [...tree.keys()]
    .filter((path) => EMPTY_NAMES.test(path.split('/').at(-1) ?? '') && path !== 'src/guard/index.ts')
    .map((path) => `${path} has a name that explains nothing`);
}

const CODE_PATH = /`([A-Za-z0-9_.][A-Za-z0-9_./-]*\/[A-Za-z0-9_./-]*)`/g;
const LINK = /\]\((?![a-z]+:|#)([^)#\s]+)(?:#[^)]*)?\)/g;

/** Paths in documents exist: `folder/`, `folder/file.ts`, and relative links. */
export function docPathViolations(tree: SourceTree): string[] {
  const paths = [...tree.keys()];
  const exists = (path: string) => {
    const wanted = path.replace(/\/$/, '');
    // What is built is not in the tree.
    if (wanted === 'dist' || wanted.startsWith('dist/')) return true;
    return tree.has(wanted) || paths.some((known) => known.startsWith(`${wanted}/`));
  };
  const isPath = (text: string) => text.endsWith('/') || /\.[a-z]{2,5}$/.test(text);
  return [...tree]
    .filter(([path]) => path.endsWith('.md'))
    .flatMap(([path, text]) => {
      const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : '';
      const code = [...text.matchAll(CODE_PATH)].map(([, found = '']) => found).filter(isPath);
      const links = [...text.matchAll(LINK)].map(([, found = '']) =>
        new URL(found, `file:///${folder}`).pathname.slice(1),
      );
      return [...code, ...links]
        .filter((found) => !exists(found))
        .map((found) => `${path} names ${found}, which does not exist`);
    });
}

// Written in pieces, so that this file does not accuse itself.
const ELSEWHERE = new RegExp(
  ['\\.\\./sha' + 'red', '/wo' + 'rk/', '/ro' + 'ot/', '/ho' + 'me/[a-z]'].join('|'),
);

/** The project stands alone: nothing outside of it is named, neither a folder beside it nor a path of one machine. */
export function standAloneViolations(tree: SourceTree): string[] {
  return [...tree]
    .filter(([, text]) => ELSEWHERE.test(text))
    .map(([path]) => `${path} names a place outside of the project`);
}

export function lockViolations(tree: SourceTree): string[] {
  // A package in a folder of this project has its path there.
  return [...tree]
    .filter(([path, text]) => path.endsWith('package-lock.json') && /"resolved": "(?!tools\/)/.test(text))
    .map(([path]) => `${path} carries download addresses`);
}

/** Every gap that code or a test cites is explained in the document. */
export function gapViolations(tree: SourceTree): string[] {
  const known = new Set(
    (tree.get('docs/spec-gaps.md') ?? '')
      .match(/^### [GL]\d{2,3}b? /gm)
      ?.map((heading) => heading.slice('### '.length).trim()),
  );
  return [...tree]
    .filter(([path]) => path.endsWith('.ts'))
    .flatMap(([path, text]) => {
      const cited = [
        ...text.matchAll(/\bgaps? ([GL]\d{2,3}b?)|\(([GL]\d{2,3}b?)(?:, ([GL]\d{2,3}b?))*\)/g),
      ].flatMap(([, ...ids]) => ids);
      return [...new Set(cited)]
        .filter((id) => id !== undefined && !known.has(id))
        .map((id) => `${path} cites ${id}, which docs/spec-gaps.md does not explain`);
    });
}
