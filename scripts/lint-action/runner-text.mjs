/** Text for the runner of GitHub: whatever is in it, it stays text. */

const COMMANDS = { error: 'error', warning: 'warning', note: 'notice' };

/** A workflow command. Its message ends at the end of the line, its properties at a comma or a colon. */
export function annotation(level, title, message) {
  return `::${COMMANDS[level] ?? 'notice'} title=${escapedProperty(title)}::${escapedData(message)}`;
}

function escapedData(text) {
  return (
    text
      .replaceAll('%', '%25')
      .replaceAll('\r', '%0D')
      .replaceAll('\n', '%0A')
      // The older form of a command is found anywhere in a line.
      .replaceAll('##[', '# #[')
  );
}

function escapedProperty(text) {
  return escapedData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

const ROWS_MAX = 100;

/** Markdown for the summary of the step. */
export function summaryOf(report, stderr) {
  if (report === null) return `## Assay lint\n\n${plain(stderr.trim() || 'Nothing could be checked.')}\n`;
  const { verdict, reason, reason_text, target, method } = report.properties;
  const rows = report.results.slice(0, ROWS_MAX).map(({ level, ruleId, message, locations }) => {
    const place = locations[0]?.logicalLocations[0]?.fullyQualifiedName ?? '';
    return `| ${[level, ruleId, message.text, place].map(plain).join(' | ')} |`;
  });
  const table = ['| Level | Check | What to change | Where |', '|---|---|---|---|', ...rows];
  return [
    `## Assay lint: ${plain(verdict)} (${plain(reason)})`,
    '',
    `${plain(method)} ${plain(target)}`,
    '',
    plain(reason_text),
    '',
    ...(rows.length === 0 ? ['Nothing was found.'] : table),
    '',
  ].join('\n');
}

/** No character keeps a meaning in Markdown or HTML, so that there are no links, images, tags or cells of a stranger. */
function plain(text) {
  return String(text)
    .slice(0, 2_000)
    .replace(/[^A-Za-z0-9 .,;/-]/gu, (letter) => `&#${letter.codePointAt(0)};`);
}
