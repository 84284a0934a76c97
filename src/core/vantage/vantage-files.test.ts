import { describe, expect, it } from 'vitest';
import { seededSigner } from '../../../test/support/log/seeded-signer.ts';
import { noteKeyText } from '../log/note.ts';
import { parseClients, parseVantages } from './vantage-files.ts';

const keyOf = (name: string, type: 1 | 4 = 1) => noteKeyText(seededSigner(name, type).key);
const [ONE, TWO] = [keyOf('one.example/v'), keyOf('two.example/v')];
const vantage = (name: string, key = keyOf(name)) => `vantage ${name} ${key} https://${name}.example\n`;

describe('a file of vantages', () => {
  it('names them in order, and how many must agree', () => {
    const read = parseVantages(
      `# mine\n\nvantage a ${ONE} https://a.example/x\n vantage\tb ${TWO} http://[::1]:1\r\nquorum 1\n`,
    );
    expect(read).toMatchObject({
      quorum: 1,
      vantages: [
        { name: 'a', key: { name: 'one.example/v' }, url: 'https://a.example/x' },
        { name: 'b', key: { name: 'two.example/v' }, url: 'http://[::1]:1' },
      ],
    });
  });

  it.each<[string, string, fault: string, line: number]>([
    ['nothing', '', 'no vantage line', 1],
    ['no quorum', vantage('a'), 'no quorum line', 1],
    ['two quorums', `${vantage('a')}quorum 1\nquorum 1\n`, 'second quorum', 3],
    ['a quorum of none', `${vantage('a')}quorum 0\n`, 'not between 1', 2],
    ['a quorum of more than there are', `${vantage('a')}quorum 2\n`, 'not between 1', 2],
    ['a quorum in words', `${vantage('a')}quorum both\n`, 'is a number', 2],
    ['two numbers', `${vantage('a')}quorum 1 1\n`, 'is a number', 2],
    ['a cut-off file', `${vantage('a')}${vantage('b')}quorum 1`, 'end with a newline', 3],
    ['another word', `witness w ${ONE} https://a.example\n`, 'starts with vantage', 1],
    ['no URL', `vantage a ${ONE}\n`, 'a name, a key and a URL', 1],
    ['more words', `vantage a ${ONE} https://a.example x\n`, 'a name, a key and a URL', 1],
    ['a name that is no label', `vantage a"b ${ONE} https://a.example\n`, 'letters', 1],
    ['a key that is none', 'vantage a b+c https://a.example\n', 'verifier key', 1],
    ['a key of a witness', vantage('a', keyOf('a', 4)), 'verifier key', 1],
    ['a key twice', vantage('a', ONE) + vantage('b', ONE), 'same public key', 2],
    ['a name twice', vantage('a') + vantage('a', ONE), 'name is taken', 2],
    ['five', [...'abcde'].map((name) => vantage(name)).join(''), 'more than 4', 5],
    ['too much', '#\n'.repeat(40_000), 'too long', 1],
  ])('is refused with %s', (_, text, fault, line) => {
    expect(parseVantages(text)).toEqual({ fault: expect.stringContaining(fault), line });
  });
});

describe('a file of clients', () => {
  it('names keys', () => {
    const read = parseClients(`# who may ask\nclient ${ONE}\nclient ${TWO}\n`);
    expect(read).toMatchObject({ clients: [{ name: 'one.example/v' }, { name: 'two.example/v' }] });
  });

  it.each<[string, string, fault: string, line: number]>([
    ['nobody', '# nobody\n', 'no client line', 1],
    ['a key of a witness', `client ${keyOf('w', 4)}\n`, 'verifier key', 1],
    ['no key', 'client\n', 'verifier key', 1],
    ['more words', `client ${ONE} x\n`, 'client and a verifier key', 1],
    ['another word', `log ${ONE}\n`, 'client and a verifier key', 1],
    ['a key twice', `client ${ONE}\nclient ${ONE}\n`, 'same public key', 2],
    ['a cut-off file', `client ${ONE}`, 'end with a newline', 1],
    ['65', Array.from({ length: 65 }, (_, n) => `client ${keyOf(`c${n}`)}\n`).join(''), 'more than 64', 65],
  ])('is refused with %s', (_, text, fault, line) => {
    expect(parseClients(text)).toEqual({ fault: expect.stringContaining(fault), line });
  });
});
