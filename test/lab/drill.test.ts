import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DRILLED } from '../../lab/drill/broken-parts.ts';
import { SHORT_LIMITS, shortAlarms } from '../../lab/drill/short-alarms.ts';
import { readAlertRules } from '../../tools/alert-rules.ts';
import { projectFile } from '../../tools/project-file.ts';

const read = (path: string) => readFileSync(projectFile(path), 'utf8');
const ALARMS = read('deploy/alerts.yaml');
const RULES = readAlertRules(ALARMS);
const SECTIONS = read('docs/production.md').split(/^#{2,3} /m);

describe('the drill', () => {
  it.each(Object.entries(DRILLED))('%s: does what the runbook says', (_, { alarm, step }) => {
    const section = SECTIONS.find((one) => one.startsWith(`${alarm}\n`)) ?? '';
    const [, words = ''] = /\*\*Do\*\*([\s\S]*?)- \*\*Over\*\*/.exec(section) ?? [];
    expect(words.replaceAll(/\s+/g, ' ')).toContain(step);
  });

  it('has the alarms of production, with shorter times', () => {
    const { groups } = JSON.parse(shortAlarms(ALARMS));
    const short = new Map<string, string>(
      groups[0].rules.map(({ alert, expr }: { alert: string; expr: string }) => [alert, expr]),
    );
    expect([...short.keys()]).toEqual(RULES.map(({ name }) => name));
    for (const { alarm, to } of SHORT_LIMITS) expect(short.get(alarm)).toContain(to);
    expect([...short.values()].join()).not.toMatch(/\[[0-9]+m\]/);
  });

  it('says when a limit has changed that it shortens', () => {
    expect(() => shortAlarms(ALARMS.replace('<= bool 600', '<= bool 900'))).toThrow(
      'AssayWitnessSilent has no limit <= bool 600 any more',
    );
  });
});
