import { base64, ENTRY, header, PAYEE, THIEF } from '../../../tools/samples/challenge.ts';
import { BRIDGED_USDC, DAI, EURC, TEST_USDC, USDC_ON_SOLANA } from '../addresses.ts';
import { behaviours, type Details, NOWHERE } from '../behaviour.ts';
import { entry, ON_TESTNET, old, onNetwork } from '../offers.ts';
import { answer, inHeader, type Sell, v1, v2 } from '../seller.ts';

const unlisted = (sell: Sell, asked: Details['asked'] & object = {}): Details => ({
  sell,
  rows: NOWHERE,
  asked,
});
const text = JSON.stringify({ x402Version: 2, accepts: [ENTRY] });
/** Text in place of what JSON.stringify would write. */
const written =
  (json: string): Sell =>
  () =>
    answer(402, [['PAYMENT-REQUIRED', base64(json)]], '{}');
const changed = (from: string, to: string): Sell => written(text.replace(from, to));
const amount = (value: string): Sell => changed('"amount":"10000"', `"amount":${value}`);

const KEYS = behaviours('dishonest', 'duplicate keys', {
  'the payee twice': changed('"payTo"', `"payTo":"${THIEF}","payTo"`),
  'the payee twice, the thief last': changed('"maxTimeoutSeconds"', `"payTo":"${THIEF}","maxTimeoutSeconds"`),
  'the amount twice': changed('"amount"', '"amount":"990000","amount"'),
  'the offers twice': changed(
    '"accepts"',
    `"accepts":[${JSON.stringify(entry({ payTo: THIEF }))}],"accepts"`,
  ),
  'an escaped key': changed('"payTo"', `"pay\\u0054o":"${THIEF}","payTo"`),
  'a key in other letters': changed('"payTo"', `"payto":"${THIEF}","payTo"`),
  'a key with an underscore': changed('"payTo"', `"pay_to":"${THIEF}","payTo"`),
  'the offers in other letters': changed(
    '"accepts"',
    `"Accepts":[${JSON.stringify(entry({ payTo: THIEF }))}],"accepts"`,
  ),
  'two amounts that differ': v2([entry({ maxAmountRequired: '990000' })]),
  'two amounts that differ in version 1': v1([old({ amount: '990000' })]),
  'the time limit twice': changed('"maxTimeoutSeconds"', '"maxTimeoutSeconds":315360000,"maxTimeoutSeconds"'),
  'the time limit in other letters': v2([entry({ MaxTimeoutSeconds: 315_360_000 })]),
  'extra twice': changed('"extra"', `"extra":{"verifyingContract":"${DAI}"},"extra"`),
  'extra in other letters': v2([entry({ Extra: { verifyingContract: DAI } })]),
  'the network twice': changed('"network"', '"network":"eip155:84532","network"'),
  'in version 1': () =>
    answer(
      402,
      [],
      JSON.stringify({ x402Version: 1, accepts: [old()] }).replace('"payTo"', `"payTo":"${THIEF}","payTo"`),
    ),
});

const AMOUNTS = behaviours('dishonest', 'amounts', {
  'an exponent': amount('"1e4"'),
  hexadecimal: amount('"0x2710"'),
  negative: amount('"-10000"'),
  'a plus sign': amount('"+10000"'),
  'a fraction': amount('"10000.0"'),
  'a fraction of a number': amount('10000.5'),
  'a number beyond 2^53': amount('9007199254740993'),
  'a negative number': amount('-10000'),
  'leading zeros': amount('"010000"'),
  blanks: amount('" 10000 "'),
  'digits of another script': amount('"\uff11\uff10\uff10\uff10\uff10"'),
  'a separator': amount('"10_000"'),
  'a comma': amount('"10,000"'),
  dollars: amount('"$0.01"'),
  empty: amount('""'),
  null: amount('null'),
  'a list': amount('["10000"]'),
  'an object': amount('{"value":"10000"}'),
  'beyond 2^256': amount(`"1${'0'.repeat(78)}"`),
  'a million digits in part': amount(`"${'9'.repeat(40_000)}"`),
});

const PAYEES = behaviours('dishonest', 'payees that are not what they seem', {
  'a Cyrillic letter': v2([entry({ payTo: PAYEE.replace('c', '\u0441') })]),
  'a Cyrillic x': v2([entry({ payTo: PAYEE.replace('x', '\u0445') })]),
  'wide digits': v2([entry({ payTo: PAYEE.replace('2', '\uff12') })]),
  'a zero-width space': v2([entry({ payTo: `${PAYEE}\u200b` })]),
  'a direction mark': v2([entry({ payTo: `\u202e${PAYEE}` })]),
  'a blank behind': v2([entry({ payTo: `${PAYEE} ` })]),
  'a list with the payee': v2([entry({ payTo: [PAYEE] })]),
  'a name': unlisted(v2([entry({ payTo: 'seller.eth' })])),
  'too short': unlisted(v2([entry({ payTo: PAYEE.slice(0, -2) })])),
  'the zero address': unlisted(v2([entry({ payTo: `0x${'0'.repeat(40)}` })])),
  'a burn address': unlisted(v2([entry({ payTo: '0x000000000000000000000000000000000000dEaD' })])),
  'the token itself': unlisted(v2([entry({ payTo: ENTRY.asset })])),
  'an address of Solana on Base': unlisted(v2([entry({ payTo: USDC_ON_SOLANA })])),
  none: v2([entry({ payTo: '' })]),
});

const TOKENS = behaviours('dishonest', 'other tokens', {
  'another coin of a dollar': v2([entry({ asset: DAI })]),
  'the bridged coin': v2([entry({ asset: BRIDGED_USDC, extra: { name: 'USD Base Coin', version: '2' } })]),
  euros: v2([entry({ asset: EURC })]),
  'a contract that calls itself USDC': v2([
    entry({ asset: `0x${'ab'.repeat(20)}`, extra: { name: 'USDC', version: '2' } }),
  ]),
  'the symbol only': v2([entry({ asset: 'USDC' })]),
  'USDC of another chain': v2([entry({ asset: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359' })]),
  'the mint of Solana on Base': v2([entry({ asset: USDC_ON_SOLANA })]),
  'the test coin on the mainnet': v2([entry({ asset: TEST_USDC })]),
  'one digit is another': v2([entry({ asset: `${ENTRY.asset.slice(0, -1)}4` })]),
  'without any claim': unlisted(v2([entry({ asset: DAI, extra: { name: 'USD Coin', version: '2' } })])),
  'in version 1': v1([old({ asset: DAI })]),
  'the coin of the chain': v2([entry({ asset: `0x${'0'.repeat(40)}` })]),
});

const NETWORKS = behaviours('dishonest', 'other networks', {
  'a testnet sold as the mainnet': v2([ON_TESTNET]),
  'a testnet in version 1': v1([old({ network: 'base-sepolia', asset: TEST_USDC })]),
  'a testnet without any claim': unlisted(v2([ON_TESTNET])),
  'a testnet with the token of the mainnet': v2([entry({ network: 'eip155:84532' })]),
  'another mainnet': v2([onNetwork('polygon')]),
  'another mainnet than the caller wants': unlisted(v2([onNetwork('polygon')]), { network: 'eip155:8453' }),
  'another mainnet in version 1': v1([
    old({ network: 'polygon', asset: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359' }),
  ]),
  'a mainnet that is not supported': unlisted(v2([entry({ network: 'eip155:56' })])),
  'a leading zero': v2([entry({ network: 'eip155:08453' })]),
  capitals: v2([entry({ network: 'EIP155:8453' })]),
  'a blank': v2([entry({ network: 'eip155:8453 ' })]),
  'a pattern': v2([entry({ network: 'eip155:*' })]),
  'a look-alike letter': v2([entry({ network: 'b\u0430se' })]),
  'a number': v2([entry({ network: 8_453 })]),
});

const JUNK = behaviours('dishonest', 'junk in a 402', {
  'not base64': () => answer(402, [['PAYMENT-REQUIRED', '%%%']], '{}'),
  'base64 with garbage behind': () => answer(402, [['PAYMENT-REQUIRED', `${base64(text)}!!`]], '{}'),
  'not JSON': written('pay me'),
  'broken JSON': written(text.slice(0, -4)),
  'an empty list': inHeader({ x402Version: 2, accepts: [] }),
  'an object in place of the list': inHeader({ x402Version: 2, accepts: { 0: ENTRY, length: 1 } }),
  'the version as text': inHeader({ x402Version: '2', accepts: [ENTRY] }),
  'version 3': inHeader({ x402Version: 3, accepts: [ENTRY] }),
  'entries that are null': inHeader({ x402Version: 2, accepts: [null, 7, 'pay'] }),
  'no scheme': v2([entry({ scheme: undefined })]),
  'terms in words': () => answer(402, [], '{"x402Version":1,"price":"$0.01","payTo":"me"}'),
  'nothing at all': () => answer(402),
  'a page': () => answer(402, [['Content-Type', 'text/html']], '<html>Pay 0.01 USDC to us</html>'),
  'another protocol': () =>
    answer(402, [['WWW-Authenticate', 'L402 macaroon="AGIAJEemVQ", invoice="lnbc100n1"']], '{}'),
  'the header twice': () =>
    answer(402, [
      header({ x402Version: 2, accepts: [ENTRY] }),
      header({ x402Version: 2, accepts: [entry({ payTo: THIEF })] }),
    ]),
  'the header twice, alike': () =>
    answer(402, [header({ x402Version: 2, accepts: [ENTRY] }), header({ x402Version: 2, accepts: [ENTRY] })]),
  'two values in one header': () => answer(402, [['PAYMENT-REQUIRED', `${base64(text)}, ${base64(text)}`]]),
  'nested ten thousand times': written(
    `{"x402Version":2,"a":${'['.repeat(10_000)}${']'.repeat(10_000)},"accepts":[${JSON.stringify(ENTRY)}]}`,
  ),
});

export const TRICKS = [...KEYS, ...AMOUNTS, ...PAYEES, ...TOKENS, ...NETWORKS, ...JUNK];
