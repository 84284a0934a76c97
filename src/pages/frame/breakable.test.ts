import { describe, expect, it } from 'vitest';
import { breakable, hashText } from './breakable.ts';

describe('a URL on a page', () => {
  it('breaks after its separators', async () => {
    expect(String(await breakable('https://a-b.example/x?y=1'))).toBe(
      '<bdi class="breakable" title="https://a-b.example/x?y=1">https://<wbr>a-<wbr>b.<wbr>example/<wbr>x?<wbr>y=<wbr>1</bdi>',
    );
  });

  it('breaks a word that no line holds', async () => {
    const text = String(await breakable(`https://a.example/${'x'.repeat(60)}`));
    expect(text).toContain(`${'x'.repeat(24)}<wbr>${'x'.repeat(24)}<wbr>${'x'.repeat(12)}`);
  });

  it.each([
    ['<script>', '&lt;script&gt;'],
    ['\u202egnp.exe', '\ufffdgnp.<wbr>exe'],
    ['"><img', '&quot;&gt;&lt;img'],
  ])('is text: %j', async (url, shown) => {
    expect(String(await breakable(url))).toContain(`>${shown}</bdi>`);
  });

  it('has a bounded length', async () => {
    expect(String(await breakable('/'.repeat(100_000), 80)).length).toBeLessThan(1_000);
  });
});

describe('a hash on a page', () => {
  it('breaks between groups of eight', async () => {
    expect(String(await hashText('0123456789abcdef01'))).toBe(
      '<span class="breakable" title="0123456789abcdef01">01234567<wbr>89abcdef<wbr>01</span>',
    );
  });
});
