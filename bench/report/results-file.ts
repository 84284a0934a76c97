import { cellsOf, HEADS, type Report } from './findings.ts';

/** What a section says of the run that made it. */
export interface Run {
  readonly at: Date;
  readonly seconds: number;
  /** The machine in one line. */
  readonly machine: string;
}

const TITLE = `# What the benchmarks measured

Written by \`npm run bench -- --write\`; \`npm run bench NAME -- --write\` replaces one section and leaves the others. Every
number stands beside its bare limit of the same run. A bound that was missed says so.
`;

/** The file with this section in it, in place of the one that had its name. Sections stand in the given order. */
export function withSection(
  text: string,
  { name, report, run }: { readonly name: string; readonly report: Report; readonly run: Run },
  order: readonly string[],
): string {
  const sections = sectionsOf(text);
  sections.set(name, sectionText(report, run));
  const known = order.filter((one) => sections.has(one));
  return [TITLE, ...known.map((one) => `## ${one}\n\n${sections.get(one)}\n`)].join('\n');
}

/** By name; what stands above the first one is ours and is written anew. */
function sectionsOf(text: string): Map<string, string> {
  const parts = text.split(/^## /m).slice(1);
  return new Map(
    parts.map((part) => {
      const end = part.indexOf('\n');
      return [part.slice(0, end).trim(), part.slice(end).trim()];
    }),
  );
}

function sectionText({ about, findings }: Report, { at, seconds, machine }: Run): string {
  const when = at.toISOString().slice(0, 16).replace('T', ' ');
  const row = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [
    about,
    '',
    row(HEADS),
    row(HEADS.map(() => '---')),
    ...findings.map((finding) => row(cellsOf(finding))),
    '',
    `${when} UTC, ${Math.round(seconds)} s. ${machine}`,
  ].join('\n');
}
