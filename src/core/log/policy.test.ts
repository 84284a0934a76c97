import { describe, expect, it } from 'vitest';
import { seededSigner } from '../../../test/support/log/seeded-signer.ts';
import { noteKeyText } from './note.ts';
import { isQuorum, type Policy, parsePolicy } from './policy.ts';

const logKey = (name: string) => noteKeyText(seededSigner(name).key);
const witnessKey = (name: string) => noteKeyText(seededSigner(name, 4).key);
const witness = (name: string) => `witness ${name} ${witnessKey(`${name}.example`)}`;
const LOG = `log ${logKey('log.example')}`;

/** The example of c2sp.org/tlog-policy. */
const EXAMPLE = `${LOG}

${witness('X1')}
${witness('X2')}
${witness('X3')}
group X-witnesses 2 X1 X2 X3

${witness('Y1')}
${witness('Y2')}
${witness('Y3')}
group Y-witnesses any Y1 Y2 Y3

group X-and-Y all X-witnesses Y-witnesses
quorum X-and-Y
`;

function policyOf(text: string): Policy {
  const policy = parsePolicy(text);
  if ('fault' in policy) throw new Error(`${policy.fault} (line ${policy.line})`);
  return policy;
}

describe('a policy', () => {
  it.each([
    ['X1 X2 Y1', true],
    ['X2 X3 Y1 Y3', true],
    ['X1 X2 X3 Y1 Y2 Y3', true],
    ['X1 Y1 Y2 Y3', false],
    ['X1 X2 X3', false],
    ['', false],
    ['Z1 Z2', false],
    ['X-and-Y', false],
    ['X-witnesses Y-witnesses', false],
    ['none', false],
  ])('of the specification, cosigned by %j: %s', (names, isEnough) => {
    expect(isQuorum(policyOf(EXAMPLE), new Set(names.split(' ')))).toBe(isEnough);
  });

  it('may be a quorum of none and nothing else', () => {
    expect(policyOf('quorum none\n')).toEqual({ logs: [], witnesses: [], groups: [], quorum: 'none' });
    expect(isQuorum(policyOf('quorum none\n'), new Set())).toBe(true);
  });

  it('may name a single witness', () => {
    const policy = policyOf(`${witness('w1')}\nquorum w1\n`);
    expect([isQuorum(policy, new Set(['w1'])), isQuorum(policy, new Set(['w2']))]).toEqual([true, false]);
  });

  it('allows blanks, tabs, comments, URLs, bytes beyond ASCII, and lines behind the quorum', () => {
    const text = ` \t${LOG}\t https://log.example/  \n\t\n  # café\n#\n${witness('wäñ')} https://wäñ.example\n\tquorum\t wäñ \n${witness('later')}\n`;
    expect(policyOf(text)).toMatchObject({
      logs: [{ url: 'https://log.example/' }],
      witnesses: [
        { name: 'wäñ', url: 'https://wäñ.example' },
        { name: 'later', url: null },
      ],
      quorum: 'wäñ',
    });
  });

  it('takes names as they are: no case folding, no Unicode forms, no other spaces', () => {
    const policy = policyOf(
      `${witness('K')}\n${witness('\u212a')}\n${witness('k')}\nwitness a\u00a0b ${witnessKey('space.example')}\nquorum K\n`,
    );
    expect(policy.witnesses.map(({ name }) => name)).toEqual(['K', '\u212a', 'k', 'a\u00a0b']);
    expect(isQuorum(policy, new Set(['\u212a', 'k']))).toBe(false);
  });

  it('takes 32 logs, witnesses and groups, but not 257', () => {
    const text = (count: number) => {
      const names = Array.from({ length: count }, (_, index) => `w${index}`);
      return `${names.map((name) => `log ${logKey(name)}\n${witness(name)}\ngroup g${name} 1 ${name}\n`).join('')}quorum none\n`;
    };
    expect(policyOf(text(32)).groups).toHaveLength(32);
    expect(parsePolicy(text(257))).toEqual({ fault: 'There are too many logs.', line: 256 * 3 + 1 });
  });

  const two = `${witness('a')}\n${witness('b')}\n`;
  const reWrapped = `log ${noteKeyText(seededSigner('other.example', 1, 'log.example').key)}`;
  const sameWitness = `witness b ${noteKeyText(seededSigner('b.example', 4, 'a.example').key)}`;
  it.each([
    ['nothing', '', 1, 'no quorum'],
    ['no quorum', `${LOG}\n`, 1, 'no quorum'],
    ['two quorums', 'quorum none\nquorum none\n', 2, 'second quorum'],
    ['a quorum of nobody', 'quorum\n', 1, 'one name'],
    ['a quorum of two names', `${two}quorum a b\n`, 3, 'one name'],
    ['an unknown quorum', 'quorum a\n', 1, 'not defined'],
    ['a quorum defined later', `quorum a\n${two}`, 1, 'not defined'],
    ['no last newline', 'quorum none', 1, 'newline'],
    ['an unknown keyword', 'quorum none\nwitnesses a\n', 2, 'starts with'],
    ['a keyword in capitals', 'Quorum none\n', 1, 'starts with'],
    ['a carriage return', 'quorum none\r\n', 1, 'control'],
    ['a vertical tab', 'quorum\vnone\n', 1, 'control'],
    ['a null character', 'quorum none\0\n', 1, 'control'],
    ['DEL', 'quorum none\u007f\n', 1, 'control'],
    ['DEL in a comment', '#\u007f\nquorum none\n', 1, 'control'],
    ['a log without key', 'log\nquorum none\n', 1, 'Ed25519'],
    ['a log with a broken key', `${LOG}x\nquorum none\n`, 1, 'Ed25519'],
    ['a log with a cosignature key', `log ${witnessKey('a')}\nquorum none\n`, 1, 'Ed25519'],
    ['a log with two URLs', `${LOG} a b\nquorum none\n`, 1, 'URL'],
    ['a log twice', `${LOG}\n${LOG}\nquorum none\n`, 2, 'same public key'],
    ['a log twice by key alone', `${LOG}\n${reWrapped}\nquorum none\n`, 2, 'same public key'],
    ['a witness without key', 'witness a\nquorum none\n', 1, 'cosignature key'],
    ['a witness with a log key', `witness a ${logKey('a')}\nquorum none\n`, 1, 'cosignature key'],
    ['a witness with two URLs', `${witness('a')} b c\nquorum none\n`, 1, 'URL'],
    ['a witness twice by key alone', `${witness('a')}\n${sameWitness}\nquorum none\n`, 2, 'same public key'],
    ['a name twice', `${witness('a')}\nwitness a ${witnessKey('b')}\nquorum none\n`, 2, 'taken'],
    ['a witness called none', `${witness('none')}\nquorum none\n`, 1, 'taken'],
    ['a group called none', `${two}group none any a\nquorum none\n`, 3, 'taken'],
    ['a group called like a witness', `${two}group b any a\nquorum b\n`, 3, 'taken'],
    ['a group called like a group', `${two}group g any a\ngroup g any b\nquorum g\n`, 4, 'taken'],
    ['a group of nobody', `${two}group g any\nquorum none\n`, 3, 'at least one'],
    ['a group without threshold', `${two}group g\nquorum none\n`, 3, 'at least one'],
    ['a threshold of 0', `${two}group g 0 a b\nquorum g\n`, 3, 'threshold'],
    ['a threshold of 3 in 2', `${two}group g 3 a b\nquorum g\n`, 3, 'threshold'],
    ['a negative threshold', `${two}group g -1 a b\nquorum g\n`, 3, 'threshold'],
    ['a threshold in hex', `${two}group g 0x1 a b\nquorum g\n`, 3, 'threshold'],
    ['a threshold in words', `${two}group g most a b\nquorum g\n`, 3, 'threshold'],
    ['an unknown member', `${two}group g any c\nquorum g\n`, 3, 'not defined'],
    ['none as a member', `${two}group g any none\nquorum g\n`, 3, 'not defined'],
    ['a group in itself', `${two}group g any a g\nquorum g\n`, 3, 'not defined'],
    ['a member defined later', `group g any a\n${two}quorum g\n`, 1, 'not defined'],
    ['a member twice in a group', `${two}group g 2 a a\nquorum g\n`, 3, 'twice'],
    ['a member in two groups', `${two}group g any a\ngroup h any a b\nquorum h\n`, 4, 'twice'],
    ['a file without end', `# ${'a'.repeat(300_000)}\nquorum none\n`, 1, 'too long'],
  ])('is refused with %s', (_, text, line, fault) => {
    expect(parsePolicy(text)).toEqual({ line, fault: expect.stringContaining(fault) });
  });
});
