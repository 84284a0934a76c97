import { describe, expect, it } from 'vitest';
import { readCheckForm, readFormRequest, shownForm } from './check-form.ts';

const request = (text: string) => readFormRequest(text);

describe('the form of a page', () => {
  it.each<[string, string, string]>([
    ['as it is', 'url=http://a.example/x', 'http://a.example/x'],
    ['pasted with blanks', 'url=%20http://a.example/x%0a', 'http://a.example/x'],
    ['without its scheme', 'url=a.example/x', 'https://a.example/x'],
  ])('reads a URL %s', (_, text, href) => {
    expect(request(text)).toMatchObject({ kind: 'read', value: { check: { target: { href } } } });
  });

  it('takes a field that was left empty for one that was not sent', () => {
    expect(request('url=a.example&claimed_price=&pay_to=&network=&method=&mode=')).toMatchObject({
      kind: 'read',
      value: {
        check: { mode: 'live', method: 'GET', claim: { price: null, payTo: null, network: null } },
      },
    });
  });

  it('reads a price with its sign, and a network by its name', () => {
    expect(request('url=a.example&claimed_price=$0.01&network=base&method=POST&mode=dry-run')).toMatchObject({
      kind: 'read',
      value: {
        check: { mode: 'dry-run', method: 'POST', claim: { price: 10_000n, network: 'eip155:8453' } },
      },
    });
  });

  it.each<[string, string, string]>([
    ['no URL', '', 'url'],
    ['a price in words', 'url=a.example&claimed_price=cheap', 'claimed_price'],
    ['a payee in words', 'url=a.example&pay_to=me', 'pay_to'],
    ['a network of dreams', 'url=a.example&network=dream', 'network'],
    ['another scheme', 'url=javascript:alert(1)', 'url'],
    ['two URLs', 'url=a.example&url=b.example', 'url'],
    ['two modes, one of them empty', 'url=a.example&mode=dry-run&mode=', 'mode'],
  ])('names the field at fault: %s', (_, text, field) => {
    expect(request(text)).toMatchObject({ kind: 'bad_request', field });
  });

  it('knows neither a ref nor a client: the form has no such field', () => {
    expect(request('url=a.example&ref=mine&client=me')).toMatchObject({
      kind: 'read',
      value: { client: null, check: { ref: null } },
    });
  });

  it.each<[string, string, string]>([
    ['a plain URL', 'http://a.example/@name', 'http://a.example/@name'],
    ['a text that is turned around', 'http://a.example/\u202egnp', 'http://a.example/%E2%80%AEgnp'],
    ['a URL that is none', 'http://a..b/', 'http://a..b/'],
    ['a password', 'http://me:hunter2@a.example/', ''],
    ['a password without a scheme', 'me:hunter2@a.example', ''],
    ['a password in another scheme', 'ftp://me:hunter2@a.example/', ''],
  ])('shows again %s', (_, url, shown) => {
    expect(shownForm(readCheckForm(`url=${encodeURIComponent(url)}`)).url).toBe(shown);
  });

  it('is bounded', () => {
    expect(readCheckForm(`url=${'x'.repeat(100_000)}`).url.length).toBeLessThan(4_200);
  });
});
