/** One alarm of deploy/alerts.yaml. */
export interface AlertRule {
  readonly name: string;
  readonly expr: string;
  /** How long it must hold, such as 5m. */
  readonly holds: string;
  readonly severity: string;
  readonly summary: string;
  readonly runbook: string;
}

const FIELDS: readonly (readonly [field: keyof AlertRule, line: RegExp])[] = [
  ['name', /^ {6}- alert: (\w+)$/],
  ['expr', /^ {8}expr: (.+)$/],
  ['holds', /^ {8}for: ([0-9]+[smh])$/],
  ['severity', /^ {10}severity: (critical|warning)$/],
  ['summary', /^ {10}summary: (.+\.)$/],
  ['runbook', /^ {10}runbook_url: (\S+)$/],
];
const FRAME = /^(?:groups:| {2}- name: [a-z-]+| {4}rules:| {8}labels:| {8}annotations:|\s*#.*|)$/;

/** Reads the few forms that our file has; anything else is a mistake in it, and throws. */
export function readAlertRules(text: string): readonly AlertRule[] {
  const found: Partial<Record<keyof AlertRule, string>>[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    if (FRAME.test(line)) continue;
    const field = FIELDS.find(([, pattern]) => pattern.test(line));
    const value = field?.[1].exec(line)?.[1];
    if (field === undefined || value === undefined) throw new Error(`line ${at + 1} of the alarms: ${line}`);
    if (field[0] === 'name') found.push({});
    const rule = found.at(-1);
    if (rule === undefined || field[0] in rule) throw new Error(`line ${at + 1} of the alarms is twice`);
    rule[field[0]] = value;
  }
  return found.map(whole);
}

function whole(rule: Partial<Record<keyof AlertRule, string>>): AlertRule {
  const { name, expr, holds, severity, summary, runbook } = rule;
  if (
    name === undefined ||
    expr === undefined ||
    holds === undefined ||
    severity === undefined ||
    summary === undefined ||
    runbook === undefined
  ) {
    throw new Error(`the alarm ${name ?? 'without a name'} is not whole`);
  }
  return { name, expr, holds, severity, summary, runbook };
}

const COMPARED = /(?: (?:[<>]=?|[!=]=)(?: bool)? [0-9.e]+)+$/;

/** The values that an alarm compares with a limit: what a graph has to show. */
export function comparedValues({ expr }: Pick<AlertRule, 'expr'>): readonly string[] {
  return expr.split(' and ').map((term) => term.replace(COMPARED, ''));
}
